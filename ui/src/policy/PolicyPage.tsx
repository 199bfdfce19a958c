// To be made.
import { PageHead } from "../ui/Bits";

export function PolicyPage() {
  return <PageHead title="Policy" about="" />;
}
