// To be made.
import { PageHead } from "../ui/Bits";

export function InvocationPage() {
  return <PageHead title="Invocation" about="" />;
}
