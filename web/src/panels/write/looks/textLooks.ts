import { createKeptStore } from "../../../kept";

export const SIZES = ["small", "usual", "large", "larger"] as const;
export const WIDTHS = ["narrow", "usual", "wide"] as const;
export const LINES = ["close", "usual", "airy"] as const;

/** How the text looks to this writer, in this browser. */
export interface TextLooks {
  readonly size: (typeof SIZES)[number];
  readonly width: (typeof WIDTHS)[number];
  readonly lines: (typeof LINES)[number];
  /** Nothing but the text is shown, and the paragraph at the cursor stands out. */
  readonly isFocused: boolean;
}

const USUAL: TextLooks = { size: "usual", width: "usual", lines: "usual", isFocused: false };

const among = (known: readonly string[], value: unknown) => known.some((one) => one === value);

const isLooks = (value: unknown): value is TextLooks => {
  const looks = value as Partial<TextLooks> | null;
  return (
    typeof looks === "object" &&
    looks !== null &&
    among(SIZES, looks.size) &&
    among(WIDTHS, looks.width) &&
    among(LINES, looks.lines) &&
    typeof looks.isFocused === "boolean"
  );
};

export const textLooks = createKeptStore<TextLooks>("write:looks", USUAL, isLooks);

export const changeLooks = (looks: Partial<TextLooks>): void => textLooks.setState(looks);
