import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { AssembledContext } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { Loading, Trouble } from "../../../design/states";
import { tell, tellTrouble } from "../../../design/toasts";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Context.module.css";
import { promptText } from "./sections";

interface PromptDialogProps {
  /** The panel beside the text has no messages, for they repeat the whole scene: here they are asked for. */
  ask(): Promise<AssembledContext>;
  onClose(): void;
}

/** The messages exactly as a model gets them, to read and to copy. */
export default function PromptDialog({ ask, onClose }: PromptDialogProps) {
  const t = useTexts(texts);
  const answer = useQuery({ queryKey: ["prompt", useId()], queryFn: ask, gcTime: 0 });
  const context = answer.data;
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
        context && (
          <>
            <Button icon="copy" onClick={() => void copy(JSON.stringify(context.messages, null, 2))}>
              {t.copyMessages}
            </Button>
            <Button look="primary" icon="copy" onClick={() => void copy(promptText(context))}>
              {t.copyText}
            </Button>
          </>
        )
      }
    >
      {answer.error ? (
        <Trouble error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        !context && <Loading rows={4} />
      )}
      {context?.messages.length === 0 && <p>{t.nothingYet}</p>}
      {context?.messages.map(({ role, content }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no name but their place
        <section key={place} className={styles.message}>
          <h3>{role}</h3>
          <p>{content}</p>
        </section>
      ))}
    </Dialog>
  );
}
