import { colourTokenOf, type NodeType, nodeTypeOf } from "../../design/NodeMark";

const SIDES: Record<NodeType, readonly [corners: number, turn: number, scale: number]> = {
  character: [0, 0, 1],
  location: [6, 0, 1.08],
  event: [4, 0, 1.18],
  item: [4, Math.PI / 4, 1.2],
  concept: [3, -Math.PI / 2, 1.28],
  faction: [5, -Math.PI / 2, 1.1],
  custom: [8, Math.PI / 8, 1],
};

/** Adds the outline of a node to the path: every type has a shape of its own. */
export function trace(path: CanvasRenderingContext2D, type: string, x: number, y: number, r: number): void {
  const [corners, turn, scale] = SIDES[nodeTypeOf(type)];
  if (corners === 0) {
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  for (let corner = 0; corner < corners; corner++) {
    const angle = turn + (2 * Math.PI * corner) / corners;
    const [px, py] = [x + r * scale * Math.cos(angle), y + r * scale * Math.sin(angle)];
    if (corner === 0) path.moveTo(px, py);
    else path.lineTo(px, py);
  }
  path.closePath();
}

/** The colours of the page, as a canvas needs them. */
export interface Palette {
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  readonly edge: string;
  readonly accent: string;
  readonly font: string;
  fill(type: string): string;
  stroke(type: string): string;
}

/** Reads the colours from the variables of the page: called again when the theme changes. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  const fills = new Map<string, string>();
  const strokes = new Map<string, string>();
  const text = value("--color-fg");
  const fill = (type: string) => {
    const known = nodeTypeOf(type);
    const colour = fills.get(known) ?? value(colourTokenOf(known));
    fills.set(known, colour);
    return colour;
  };
  return {
    background: value("--color-bg"),
    text,
    muted: value("--color-fg-muted"),
    edge: value("--color-fg-subtle"),
    accent: value("--color-accent"),
    font: style.fontFamily,
    fill,
    stroke: (type) => {
      const known = nodeTypeOf(type);
      const colour = strokes.get(known) ?? mixed(fill(type), text, 0.55);
      strokes.set(known, colour);
      return colour;
    },
  };
}

const channels = (hex: string): number[] =>
  [1, 3, 5].map((place) => Number.parseInt(hex.slice(place, place + 2), 16));

/** One colour mixed with another: this share of the first. */
export function mixed(first: string, second: string, share: number): string {
  const others = channels(second);
  const mix = channels(first).map((value, place) =>
    Math.round(value * share + (others[place] as number) * (1 - share)),
  );
  return `#${mix.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** A colour seen through. */
export const through = (hex: string, alpha: number): string => `rgba(${channels(hex).join(",")},${alpha})`;
