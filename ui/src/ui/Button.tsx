// Buttons: one that stands out on each page, the others quieter, and one for what cannot be taken back.
import type { ButtonHTMLAttributes } from "react";

const LOOKS = {
  primary: "bg-accent text-accent-ink border-transparent hover:brightness-110",
  plain: "bg-card text-ink border-strong hover:bg-sunk",
  bad: "bg-card text-bad border-strong hover:bg-bad-wash",
  quiet: "bg-transparent text-soft border-transparent hover:bg-sunk hover:text-ink",
};

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof LOOKS;
}

/** For a link that looks like a button. */
export function buttonClass(look: keyof typeof LOOKS): string {
  return `inline-flex items-center justify-center gap-2 rounded-lg border px-3.5 min-h-11 md:min-h-9 font-medium whitespace-nowrap transition-colors disabled:opacity-50 ${LOOKS[look]}`;
}

export function Button({ look = "plain", className = "", type = "button", ...rest }: Props) {
  return <button type={type} className={`${buttonClass(look)} ${className}`} {...rest} />;
}

/** The key that does the same; there is none on a phone. */
export function Key({ name }: { name: string }) {
  return (
    <kbd className="hidden md:inline-block rounded border border-current/25 px-1 text-[0.6875rem] leading-4 font-sans opacity-90" aria-hidden="true">
      {name}
    </kbd>
  );
}
