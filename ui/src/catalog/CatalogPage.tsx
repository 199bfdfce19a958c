// To be made.
import { PageHead } from "../ui/Bits";

export function CatalogPage() {
  return <PageHead title="Catalog" about="" />;
}
