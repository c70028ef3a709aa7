import { type ReactNode, useRef, useState } from "react";
import { readKept, writeKept } from "../kept";
import styles from "./Split.module.css";

interface SplitProps {
  /** Under this name the width is remembered. */
  name: string;
  label: string;
  left: ReactNode;
  /** Where there is nothing, the left side has all the room. */
  right: ReactNode;
  /** On a narrow screen only one side is shown. */
  narrow: "left" | "right";
}

const LEAST = 24;
const MOST = 70;
const STEP = 2;

export const withinSplit = (percent: number): number => Math.min(MOST, Math.max(LEAST, Math.round(percent)));

/** Two sides with a handle between them, to drag or to move with the arrow keys. */
export function Split({ name, label, left, right, narrow }: SplitProps) {
  const kept = readKept(`split:${name}`);
  const [width, setWidth] = useState(typeof kept === "number" ? withinSplit(kept) : 38);
  const box = useRef<HTMLDivElement>(null);
  const move = (percent: number) => {
    const next = withinSplit(percent);
    setWidth(next);
    writeKept(`split:${name}`, next);
  };
  return (
    <div ref={box} className={styles.split} data-narrow={narrow}>
      <div className={styles.left} style={{ flexBasis: right ? `${width}%` : "100%" }}>
        {left}
      </div>
      <div
        className={styles.handle}
        hidden={!right}
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        onKeyDown={(event) => {
          if (event.key === "ArrowLeft") move(width - STEP);
          else if (event.key === "ArrowRight") move(width + STEP);
        }}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId) || !box.current) return;
          const around = box.current.getBoundingClientRect();
          move(((event.clientX - around.left) / around.width) * 100);
        }}
      />
      <div className={styles.right} hidden={!right}>
        {right}
      </div>
    </div>
  );
}
