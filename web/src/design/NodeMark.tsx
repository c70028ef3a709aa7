import styles from "./NodeMark.module.css";

export const NODE_TYPES = ["character", "location", "item", "event", "concept", "faction", "custom"] as const;
export type NodeType = (typeof NODE_TYPES)[number];

const SHAPES: Record<NodeType, string> = {
  character: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z",
  location: "M5 2h6l3.500 6-3.500 6H5L1.500 8Z",
  item: "M2.500 2.500h11v11h-11z",
  event: "M8 1.200 14.800 8 8 14.800 1.200 8Z",
  concept: "M8 1.500l6.700 12H1.300z",
  faction: "M8 1.400l6.500 4.800-2.500 7.600H4L1.500 6.200Z",
  custom: "M2.500 4.500h11M2.500 8h11M2.500 11.500h7",
};

export const nodeTypeOf = (type: string): NodeType =>
  NODE_TYPES.find((known) => known === type.toLowerCase()) ?? "custom";

/** The variable that has the colour of a type: factions are the others. */
export const colourTokenOf = (type: NodeType): `--color-node-${string}` =>
  `--color-node-${type === "faction" ? "other" : type}`;

/** What kind of thing it is: a shape and a colour, so that neither has to be told apart alone. */
export function NodeMark({ type, size = 14 }: { type: string; size?: number }) {
  const known = nodeTypeOf(type);
  return (
    <svg
      className={styles.mark}
      data-type={known}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={SHAPES[known]} />
    </svg>
  );
}
