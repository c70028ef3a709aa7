import { useState } from "react";
import { useNavigate } from "react-router";
import { createStory, putScene } from "../client/rest";
import { Button } from "../design/Button";
import { Dialog } from "../design/Dialog";
import { Choice, TextField } from "../design/Field";
import { tellTrouble } from "../design/toasts";
import { queries } from "../server/server";
import { scenePage } from "../story/addresses";
import { glossary } from "../texts/glossary";
import { type Language, useLanguage, useTexts } from "../texts/language";
import { texts } from "./texts";

export function NewStory({ onClose }: { onClose(): void }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const navigate = useNavigate();
  const [title, setTitle] = useState("");
  const [language, setLanguage] = useState<Language>(useLanguage());
  const begin = async () => {
    try {
      const { data } = await createStory({ body: { title, language } });
      // An empty page to write on, with the cursor in it.
      await putScene({ path: { storyId: data.id, chapter: 0, scene: 0 }, body: { text: "" } });
      void queries.invalidateQueries();
      onClose();
      await navigate(scenePage(data.id, 0, 0));
    } catch (error) {
      tellTrouble(error);
    }
  };
  return (
    <Dialog
      title={t.newStory}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={title.trim() === ""} onClick={() => void begin()}>
            {words.create}
          </Button>
        </>
      }
    >
      <TextField
        label={t.newStoryTitle}
        value={title}
        maxLength={256}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing && title.trim()) void begin();
        }}
      />
      <Choice<Language>
        label={t.newStoryLanguage}
        value={language}
        onChange={setLanguage}
        options={[
          { value: "zh", label: "中文" },
          { value: "en", label: "English" },
        ]}
      />
    </Dialog>
  );
}
