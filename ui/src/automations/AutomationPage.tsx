// To be made.
import { PageHead } from "../ui/Bits";

export function AutomationPage() {
  return <PageHead title="Automation" about="" />;
}
