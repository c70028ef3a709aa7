const PATHS = {
  book: "M4 5.5c3-.4 5.700 .2 8 2 2.300-1.800 5-2.400 8-2V18c-3-.4-5.700.2-8 2-2.300-1.800-5-2.400-8-2zM12 7.500V20",
  pen: "M4 20l1-4L16.500 4.500a2 2 0 0 1 3 3L8 19zM14 7l3 3",
  graph:
    "M6 7.500 11 16M18 7.500 13 16M8 6h8M6 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM18 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM12 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  check: "M5 12.500l4.500 4.500L19 7.500",
  checks: "M4 6h16M4 12h9M4 18h7M15 16.500l2.200 2.200L21 15",
  timeline: "M5 4v16M5 7h8M5 12h13M5 17h6",
  gear: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M18.400 5.600l-2.100 2.100M7.700 16.300l-2.100 2.100",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  move: "M12 3v18M8 7l4-4 4 4M8 17l4 4 4-4",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  search: "M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM20 20l-4.800-4.800",
  close: "M6 6l12 12M18 6 6 18",
  back: "M14 6l-6 6 6 6",
  down: "M7 10l5 5 5-5",
  upload: "M12 15V4M8 8l4-4 4 4M4 15v4h16v-4",
  download: "M12 4v11M8 11l4 4 4-4M4 15v4h16v-4",
  trash: "M5 7h14M9.500 7V4.500h5V7M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5",
  eye: "M2.500 12S6 6 12 6s9.500 6 9.500 6-3.500 6-9.500 6-9.500-6-9.500-6ZM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z",
  hand: "M8 12V6.500a1.500 1.500 0 0 1 3 0V11M11 10.500V5a1.500 1.500 0 0 1 3 0v6M14 11V7a1.500 1.500 0 0 1 3 0v7c0 4-2 6-5.500 6C8 20 7 18 4.500 14.500c1-1.500 2.500-1 3.500.5V12",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400",
  keyboard: "M3 6.500h18v11H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  alert: "M12 4 2.500 20h19zM12 10v4.500M12 17.200v.1",
  sort: "M7 5v14M4 16l3 3 3-3M14 6h6M14 11h5M14 16h3",
  filter: "M4 5h16l-6 7.500V19l-4 1.500v-8z",
  pin: "M9 3.500h6l-1 6 3.500 3.500h-11L10 9.500zM12 13v7.500",
  panel: "M4 5h16v14H4zM14.500 5v14",
  list: "M9 6h11M9 12h11M9 18h11M4.500 6h.01M4.500 12h.01M4.500 18h.01",
  refresh: "M19 12a7 7 0 1 1-2.200-5.100L19.500 9.500M19.500 4.500v5h-5",
  undo: "M8 5 4 9l4 4M4 9h10a5.500 5.500 0 0 1 0 11h-4",
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside words; readers of the screen hear the words only. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
