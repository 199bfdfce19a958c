// Light or dark: as the system prefers, until the person says otherwise on this device.

export type Choice = "system" | "light" | "dark";

const NAME = "countersign.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

export function choice(): Choice {
  try {
    const kept = localStorage.getItem(NAME);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}

export function choose(next: Choice): void {
  try {
    if (next === "system") localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, next);
  } catch {
    // It holds until the next load.
  }
  apply(next);
}

export function isDark(): boolean {
  return document.documentElement.dataset["theme"] === "dark";
}

function apply(to: Choice): void {
  const theme = to === "system" ? (dark.matches ? "dark" : "light") : to;
  document.documentElement.dataset["theme"] = theme;
}

export function startTheme(): void {
  apply(choice());
  dark.addEventListener("change", () => apply(choice()));
}
