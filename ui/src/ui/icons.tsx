// Icons. A label always stands beside them.
import type { ReactNode } from "react";

const PATHS = {
  inbox: "M3 13l3-8h12l3 8v6H3zM3 13h5l2 3h4l2-3h5",
  activity: "M3 12h4l3 8 4-16 3 8h4",
  agents: `M12 4v3M7 7h10a2 2 0 012 2v8a2 2 0 01-2 2H7a2 2 0 01-2-2V9a2 2 0 012-2z
    M9.500 12v2M14.500 12v2M2.500 12v3M21.500 12v3`,
  catalog: "M4 5h7v7H4zM13 5h7v7h-7zM4 14h7v6H4zM13 14h7v6h-7z",
  models: "M11 4l2 5.500 5.500 2-5.500 2-2 5.500-2-5.500-5.500-2 5.500-2zM18 3v4M16 5h4M19 17v3M17.500 18.500h3",
  policy: "M12 3l8 3v6c0 5-3.5 8-8 9-4.500-1-8-4-8-9V6zM9 12l2 2 4-4",
  automations: `M12 3v4M12 17v4M3 12h4M17 12h4M7.5 7.5l-2-2M18.5 18.5l-2-2M16.5 7.5l2-2M5.5 18.5l2-2
    M12 9.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z`,
  runs: "M7 5l12 7-12 7z",
  overview: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5a2 2 0 100 4 2 2 0 000-4zM8 15a2 2 0 100 4 2 2 0 000-4z",
  space: "M12 3l9 5-9 5-9-5zM3 12l9 5 9-5M3 16l9 5 9-5",
  search: "M11 4a7 7 0 100 14 7 7 0 000-14zM16 16l5 5",
  back: "M15 5l-7 7 7 7",
  more: "M4.500 12h1M11.500 12h1M18.500 12h1",
  sun: `M12 8a4 4 0 100 8 4 4 0 000-8z
    M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19`,
  moon: "M20 14a8 8 0 01-10-10 8 8 0 1010 10z",
  plus: "M12 5v14M5 12h14",
  less: "M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 13l4.500 4.500L19 7",
  clock: "M12 4a8 8 0 100 16 8 8 0 000-16zM12 8v4l3 2",
  stop: "M8.500 3h7L21 8.500v7L15.500 21h-7L3 15.500v-7zM9.500 9.500h5v5h-5z",
  bell: "M6 16V11a6 6 0 0112 0v5l2 2H4zM10 20a2 2 0 004 0",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = "size-4" }: { name: IconName; className?: string }): ReactNode {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
