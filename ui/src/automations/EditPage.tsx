// To be made.
import { PageHead } from "../ui/Bits";

export function EditPage() {
  return <PageHead title="Edit" about="" />;
}
