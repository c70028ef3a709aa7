import type { CSSProperties } from "react";

/** Where in the window something small is to appear: below a line, or above it where there is more room. */
export interface Spot {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

const GAP = 6;
const WIDTH = 320;

export function spotStyle({ left, top, bottom }: Spot, width = WIDTH): CSSProperties {
  const isLow = bottom > window.innerHeight * 0.62;
  const x = Math.max(8, Math.min(left, window.innerWidth - width - 8));
  return isLow ? { left: x, bottom: window.innerHeight - top + GAP } : { left: x, top: bottom + GAP };
}
