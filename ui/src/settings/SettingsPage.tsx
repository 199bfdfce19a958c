// To be made.
import { PageHead } from "../ui/Bits";

export function SettingsPage() {
  return <PageHead title="Settings" about="" />;
}
