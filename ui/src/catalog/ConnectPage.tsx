// To be made.
import { PageHead } from "../ui/Bits";

export function ConnectPage() {
  return <PageHead title="Connect" about="" />;
}
