import { type ReactNode, useId } from "react";
import styles from "./Entity.module.css";

interface SectionProps {
  title: string;
  /** A number or a few words beside the title. */
  note?: ReactNode;
  tools?: ReactNode;
  children: ReactNode;
}

/** A part of the page with its heading. */
export function Section({ title, note, tools, children }: SectionProps) {
  const heading = useId();
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <header className={styles.sectionHead}>
        <h3 id={heading}>{title}</h3>
        {note !== undefined && <span className={styles.note}>{note}</span>}
        <div className={styles.sectionTools}>{tools}</div>
      </header>
      {children}
    </section>
  );
}
