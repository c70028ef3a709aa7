import styles from "./Cast.module.css";

/** A small picture of numbers over the book; who cannot see it hears what it is. */
export function Sparkline({ label, numbers }: { label: string; numbers: readonly number[] }) {
  const most = Math.max(1, ...numbers);
  const width = 100 / Math.max(1, numbers.length);
  return (
    <svg
      className={styles.spark}
      viewBox="0 0 100 20"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {numbers.map((count, place) => {
        const height = count === 0 ? 0 : Math.max(1.5, (20 * count) / most);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a part of the book has no name but its place
            key={place}
            x={place * width}
            y={20 - height}
            width={width * 0.8}
            height={height}
          />
        );
      })}
    </svg>
  );
}
