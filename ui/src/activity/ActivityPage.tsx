// To be made.
import { PageHead } from "../ui/Bits";

export function ActivityPage() {
  return <PageHead title="Activity" about="" />;
}
