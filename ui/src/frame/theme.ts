// Light or dark theme: the system's preference unless chosen on this device.

export type Choice = "system" | "light" | "dark";

const NAME = "countersign.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

export function choice(): Choice {
  try {
    const stored = localStorage.getItem(NAME);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}

export function choose(next: Choice): void {
  try {
    if (next === "system") localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, next);
  } catch {
    // Without storage, the choice lasts until the next load.
  }
  apply(next);
}

export function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}

function apply(to: Choice): void {
  const theme = to === "system" ? (dark.matches ? "dark" : "light") : to;
  document.documentElement.dataset.theme = theme;
}

export function startTheme(): void {
  apply(choice());
  dark.addEventListener("change", () => apply(choice()));
}
