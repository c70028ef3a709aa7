import { createStore, useStore } from "zustand";
import { problemOf } from "../server/problem";
import { glossary } from "../texts/glossary";
import { useTexts } from "../texts/language";
import { Button, IconButton } from "./Button";
import styles from "./toasts.module.css";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly more?: string | undefined;
  readonly look: "plain" | "danger";
  readonly action?: { label: string; run(): void } | undefined;
}

const toasts = createStore<readonly Toast[]>(() => []);
const SHOWN_MS = 6_000;
const AT_ONCE = 4;
let last = 0;

const dismiss = (id: number) =>
  toasts.setState(
    toasts.getState().filter((toast) => toast.id !== id),
    true,
  );

function show(toast: Omit<Toast, "id">): void {
  last += 1;
  const id = last;
  toasts.setState([...toasts.getState(), { ...toast, id }].slice(-AT_ONCE), true);
  setTimeout(() => dismiss(id), toast.look === "danger" ? 2 * SHOWN_MS : SHOWN_MS);
}

/** A short word about something that was done. */
export function tell(text: string, action?: Toast["action"]): void {
  show({ text, look: "plain", action });
}

/** A word about something that failed; nobody has to be told twice that the server is gone. */
export function tellTrouble(error: unknown): void {
  const problem = problemOf(error);
  if (problem.isOffline) return;
  show({ text: problem.message, more: problem.suggestion ?? undefined, look: "danger" });
}

export function Toasts() {
  const shown = useStore(toasts);
  const words = useTexts(glossary);
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className={styles.toast} data-look={toast.look}>
          <div>
            <p>{toast.text}</p>
            {toast.more && <p className={styles.more}>{toast.more}</p>}
          </div>
          {toast.action && (
            <Button
              size="small"
              look="quiet"
              onClick={() => {
                dismiss(toast.id);
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <IconButton icon="close" size="small" label={words.close} onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}
