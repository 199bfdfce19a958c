// The notice about the upgrade at the top of every page. Its text is loaded only for those who see it.
import { lazy, Suspense } from "react";
import { useUpgrade } from "./news";

const WhatChanged = lazy(async () => ({ default: (await import("./WhatChanged")).WhatChanged }));

export function UpgradeNotice() {
  const upgrade = useUpgrade();
  if (upgrade === null) return null;
  return (
    <Suspense fallback={null}>
      <WhatChanged upgrade={upgrade} />
    </Suspense>
  );
}
