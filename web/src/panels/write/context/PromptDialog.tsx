import type { AssembledContext } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { tell, tellTrouble } from "../../../design/toasts";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Context.module.css";
import { promptText } from "./sections";

/** The messages exactly as a model gets them, to read and to copy. */
export function PromptDialog({ context, onClose }: { context: AssembledContext; onClose(): void }) {
  const t = useTexts(texts);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      tell(t.copied);
    } catch (error) {
      tellTrouble(error);
    }
    onClose();
  };
  return (
    <Dialog
      title={t.prompt}
      onClose={onClose}
      wide
      actions={
        <>
          <Button icon="copy" onClick={() => void copy(JSON.stringify(context.messages, null, 2))}>
            {t.copyMessages}
          </Button>
          <Button look="primary" icon="copy" onClick={() => void copy(promptText(context))}>
            {t.copyText}
          </Button>
        </>
      }
    >
      {context.messages.length === 0 && <p>{t.nothingYet}</p>}
      {context.messages.map(({ role, content }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no name but their place
        <section key={place} className={styles.message}>
          <h3>{role}</h3>
          <p>{content}</p>
        </section>
      ))}
    </Dialog>
  );
}
