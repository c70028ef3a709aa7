import { lazy, Suspense, useState } from "react";
import { useNavigate } from "react-router";
import { useStore } from "zustand";
import { deleteStory, readStory, updateStory } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Choice, TextField } from "../../design/Field";
import { THEMES, type Theme, themeStore } from "../../design/theme";
import { tellTrouble } from "../../design/toasts";
import { queries } from "../../server/server";
import { act } from "../../story/act";
import { BOOK_FORMS, type SavedForm, saveStory } from "../../story/saveStory";
import { useStory } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { type Language, languageStore, useLanguage, useTexts } from "../../texts/language";
import { CalendarSettings } from "./CalendarSettings";
import { Covers } from "./Covers";
import { FullWindow } from "./FullWindow";
import styles from "./Settings.module.css";
import { Told } from "./Told";
import { texts } from "./texts";

const PromptLibrary = lazy(() => import("../../story/prompts/PromptLibrary"));
const ModelSettings = lazy(() => import("./ModelSettings"));

const LANGUAGES = [
  { value: "zh", label: "中文" },
  { value: "en", label: "English" },
] as const;

export default function SettingsPanel() {
  const story = useStory();
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const language = useLanguage();
  const theme = useStore(themeStore);
  const [title, setTitle] = useState(story.title);
  const [isDeleting, setDeleting] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [isLibraryOpen, setLibraryOpen] = useState(false);
  const save = async (form: SavedForm) => {
    setSaving(true);
    await saveStory(story.id, story.title, form).catch(tellTrouble);
    setSaving(false);
  };
  const change = (body: { title?: string; language?: "zh" | "en" }) =>
    act(story.id, t.saved, () => updateStory({ path: { storyId: story.id }, body }));
  const set = (changed: Readonly<Record<string, unknown>>) =>
    act(story.id, t.saved, async () => {
      // Settings are replaced as a whole: somebody else may have changed another in the meantime.
      const { data } = await readStory({ path: { storyId: story.id } });
      const settings = { ...data.settings, ...changed };
      return await updateStory({ path: { storyId: story.id }, body: { settings } });
    });
  return (
    <div className={styles.settings}>
      <section className={styles.group}>
        <h2>{t.story}</h2>
        <form
          className={styles.row}
          onSubmit={(event) => {
            event.preventDefault();
            void change({ title });
          }}
        >
          <TextField
            label={t.title}
            value={title}
            maxLength={256}
            onChange={(event) => setTitle(event.target.value)}
          />
          <Button type="submit" look="primary" disabled={title.trim() === "" || title === story.title}>
            {words.save}
          </Button>
        </form>
        <Choice
          label={t.language}
          value={story.language}
          options={LANGUAGES}
          onChange={(value) => void change({ language: value })}
        />
      </section>
      <Suspense>
        <ModelSettings />
      </Suspense>
      <section className={styles.group}>
        <h2>{t.prompts}</h2>
        <p>{t.promptsWhy}</p>
        <div>
          <Button aria-expanded={isLibraryOpen} onClick={() => setLibraryOpen(!isLibraryOpen)}>
            {t.promptsShow}
          </Button>
        </div>
        <Suspense>{isLibraryOpen && <PromptLibrary story={story} />}</Suspense>
      </section>
      <section className={styles.group}>
        <h2>{t.recall}</h2>
        <Choice
          label={t.recallWhy}
          value={story.settings.recallEntries === false ? "off" : "on"}
          options={[
            { value: "on", label: t.recallOn },
            { value: "off", label: t.recallOff },
          ]}
          onChange={(value) => void set({ recallEntries: value === "on" })}
        />
      </section>
      <section className={styles.group}>
        <h2>{t.dated}</h2>
        <Choice
          label={t.datedWhy}
          value={story.settings.datedByAppearance === false ? "off" : "on"}
          options={[
            { value: "on", label: t.datedOn },
            { value: "off", label: t.datedOff },
          ]}
          onChange={(value) => void set({ datedByAppearance: value === "on" })}
        />
      </section>
      <CalendarSettings onChange={(calendar) => set({ calendar })} />
      <FullWindow onChange={(dropOldestMessages) => void set({ dropOldestMessages })} />
      <Told storyId={story.id} />
      <Covers storyId={story.id} />
      <section className={styles.group}>
        <h2>{t.export}</h2>
        <p>{t.exportWhy}</p>
        <div>
          <Button icon="download" disabled={isSaving} onClick={() => void save("zip")}>
            {t.exportNow}
          </Button>
        </div>
        <p>{t.exportBook}</p>
        <div className={styles.files}>
          {BOOK_FORMS.map((form) => (
            <Button key={form} icon="download" disabled={isSaving} onClick={() => void save(form)}>
              {t[form]}
            </Button>
          ))}
        </div>
      </section>
      <section className={styles.group}>
        <h2>{t.page}</h2>
        <Choice
          label={t.pageLanguage}
          value={language}
          options={LANGUAGES}
          onChange={(next: Language) => languageStore.setState(next)}
        />
        <Choice
          label={t.theme}
          value={theme}
          options={THEMES.map((value) => ({ value, label: t[value] }))}
          onChange={(next: Theme) => themeStore.setState(next)}
        />
      </section>
      <section className={styles.group}>
        <h2>{t.danger}</h2>
        <p>{t.dangerWhy(story.entityCount, story.relationCount)}</p>
        <div>
          <Button icon="trash" onClick={() => setDeleting(true)}>
            {t.delete}
          </Button>
        </div>
      </section>
      {isDeleting && <DeleteStory onClose={() => setDeleting(false)} />}
    </div>
  );
}

function DeleteStory({ onClose }: { onClose(): void }) {
  const story = useStory();
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const remove = async () => {
    try {
      await deleteStory({ path: { storyId: story.id } });
      await navigate("/");
      await queries.invalidateQueries();
    } catch (error) {
      tellTrouble(error);
    }
  };
  return (
    <Dialog
      title={t.danger}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="danger" disabled={typed !== story.title} onClick={() => void remove()}>
            {t.delete}
          </Button>
        </>
      }
    >
      <p>{t.dangerWhy(story.entityCount, story.relationCount)}</p>
      <TextField
        label={t.dangerType(story.title)}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Dialog>
  );
}
