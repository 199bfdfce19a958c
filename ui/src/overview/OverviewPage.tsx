// To be made.
import { PageHead } from "../ui/Bits";

export function OverviewPage() {
  return <PageHead title="Overview" about="" />;
}
