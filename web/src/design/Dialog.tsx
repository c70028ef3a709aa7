import { type ReactNode, useEffect, useId, useRef } from "react";
import { glossary } from "../texts/glossary";
import { useTexts } from "../texts/language";
import { IconButton } from "./Button";
import styles from "./Dialog.module.css";

const FIELDS = ["textarea", "select", "input:not([type=radio])", "input[type=radio]:checked"];
const FIRST_FIELD = `.${styles.body} :is(${FIELDS.join(", ")})`;

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
}

/** A window over the page; it is there while it is rendered. */
export function Dialog({ title, onClose, children, actions, wide = false }: DialogProps) {
  const texts = useTexts(glossary);
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // Whoever opens a form wants to fill it in; the browser would begin with the button that closes it.
    opened?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.inside}>
        <header className={styles.header}>
          <h2 id={heading} className={styles.title}>
            {title}
          </h2>
          <IconButton icon="close" size="small" label={texts.close} onClick={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {actions && <footer className={styles.actions}>{actions}</footer>}
      </div>
    </dialog>
  );
}
