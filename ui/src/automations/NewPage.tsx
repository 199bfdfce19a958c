// To be made.
import { PageHead } from "../ui/Bits";

export function NewPage() {
  return <PageHead title="New automation" about="" />;
}
