import styles from "./Sparkline.module.css";

interface SparklineProps {
  label: string;
  numbers: readonly number[];
  /** Which of them is chosen. */
  chosen?: number;
}

/** A small picture of numbers over the book; who cannot see it hears what it is. */
export function Sparkline({ label, numbers, chosen }: SparklineProps) {
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
            data-chosen={place === chosen || undefined}
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
