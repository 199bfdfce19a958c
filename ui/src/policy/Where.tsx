// The condition of a rule or grant in words. It quotes values of parameters, so it is untrusted text.
import { Line } from "../text/Visible";

export function Where({ words }: { words: string | null | undefined }) {
  if (words == null) return null;
  return (
    <span className="wrap-anywhere">
      where <Line text={words} />
    </span>
  );
}
