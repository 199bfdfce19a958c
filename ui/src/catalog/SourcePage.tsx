// To be made.
import { PageHead } from "../ui/Bits";

export function SourcePage() {
  return <PageHead title="Source" about="" />;
}
