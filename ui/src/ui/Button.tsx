// Buttons and keyboard hints.
import type { ButtonHTMLAttributes } from "react";

const VARIANTS = {
  primary: "bg-accent text-accent-ink border-transparent hover:brightness-110",
  plain: "bg-card text-ink border-strong hover:bg-sunk",
  bad: "bg-card text-bad border-strong hover:bg-bad-wash",
  /** The red button that stops something. */
  stop: "bg-bad text-card border-transparent hover:brightness-110",
  quiet: "bg-transparent text-soft border-transparent hover:bg-sunk hover:text-ink",
};

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: keyof typeof VARIANTS;
}

/** For a link that looks like a button. */
export function buttonClass(variant: keyof typeof VARIANTS): string {
  return `inline-flex items-center justify-center gap-2 rounded-lg border px-3.5 min-h-11 md:min-h-9 font-medium
    whitespace-nowrap transition-colors disabled:opacity-50 ${VARIANTS[variant]}`;
}

export function Button({ variant = "plain", className = "", type = "button", ...rest }: Props) {
  return <button type={type} className={`${buttonClass(variant)} ${className}`} {...rest} />;
}

/** The keyboard shortcut; hidden on a phone. */
export function Key({ name }: { name: string }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a <kbd> takes no focus; the button itself names the key.
    <kbd
      className={`hidden md:inline-block rounded border border-current/25 px-1 text-[0.6875rem] leading-4 font-sans
        opacity-90`}
      aria-hidden="true"
    >
      {name}
    </kbd>
  );
}
