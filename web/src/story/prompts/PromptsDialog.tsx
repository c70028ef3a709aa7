import { useState } from "react";
import type { Story } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { useTexts } from "../../texts/language";
import PromptLibrary from "./PromptLibrary";
import styles from "./Prompts.module.css";
import { builtInPrompts, type Prompt, promptsIn } from "./prompts";
import { texts } from "./texts";

interface PromptsDialogProps {
  story: Story;
  /** Whether words are selected: those for the cursor are then of no use, and the other way round. */
  isSelected: boolean;
  onChoose(prompt: Prompt): void;
  onClose(): void;
}

/** The prompts that fit where the author is; one of them is asked. */
export default function PromptsDialog({ story, isSelected, onChoose, onClose }: PromptsDialogProps) {
  const t = useTexts(texts);
  const [isManaged, setManaged] = useState(false);
  const fitting = [...promptsIn(story.settings), ...builtInPrompts(story.language)].filter(
    ({ use }) => use === "conversation" || use === (isSelected ? "selection" : "cursor"),
  );
  const groups = (["selection", "cursor", "conversation"] as const)
    .map((use) => ({ use, prompts: fitting.filter((one) => one.use === use) }))
    .filter(({ prompts }) => prompts.length > 0);
  return (
    <Dialog
      title={t.prompts}
      onClose={onClose}
      wide
      actions={<Button onClick={() => setManaged(!isManaged)}>{isManaged ? t.toList : t.manage}</Button>}
    >
      {isManaged ? (
        <PromptLibrary story={story} />
      ) : (
        groups.map(({ use, prompts }) => (
          <section key={use} className={styles.library}>
            <h3>{t[use]}</h3>
            <ul>
              {prompts.map((prompt, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: one of the author's may be called like a built-in one
                <li key={`${prompt.name}.${place}`}>
                  <button type="button" className={styles.choose} onClick={() => onChoose(prompt)}>
                    <span>{prompt.name}</span>
                    <span className={styles.muted}>{prompt.instruction}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
    </Dialog>
  );
}
