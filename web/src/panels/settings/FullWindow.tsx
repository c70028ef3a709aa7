import { useQuery } from "@tanstack/react-query";
import { toldContextsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Choice } from "../../design/Field";
import { Notice } from "../../design/states";
import { useStory } from "../../story/story";
import { useTexts } from "../../texts/language";
import styles from "./Settings.module.css";
import { texts } from "./texts";

/** What gives way when a conversation fills the model's window; and whether something just did. */
export function FullWindow({ onChange }: { onChange(dropOldestMessages: boolean): void }) {
  const story = useStory();
  const t = useTexts(texts);
  const told = useQuery(toldContextsOptions({ path: { storyId: story.id } }));
  const last = told.data?.items[0];
  return (
    <section className={styles.group}>
      <h2>{t.window}</h2>
      <Choice
        label={t.windowWhy}
        value={story.settings.dropOldestMessages === true ? "messages" : "memory"}
        options={[
          { value: "memory", label: t.windowMemory },
          { value: "messages", label: t.windowMessages },
        ]}
        onChange={(value) => onChange(value === "messages")}
      />
      {last && last.memory !== "whole" && (
        <Notice look="warn">{last.memory === "cut" ? t.memoryCut : t.memoryNone}</Notice>
      )}
      {last && last.droppedMessages > 0 && <Notice>{t.messagesDropped(last.droppedMessages)}</Notice>}
    </section>
  );
}
