import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { createSample } from "../client/rest";
import { overviewOptions } from "../client/rest/@tanstack/react-query.gen";
import { Button } from "../design/Button";
import { Empty, Loading, Trouble } from "../design/states";
import { tellTrouble } from "../design/toasts";
import { queries } from "../server/server";
import { Importing } from "../story/importing/Importing";
import importing from "../story/importing/Importing.module.css";
import { texts as importTexts } from "../story/importing/texts";
import { useDrop } from "../story/importing/useDrop";
import { glossary } from "../texts/glossary";
import { useLanguage, useTexts } from "../texts/language";
import styles from "./Home.module.css";
import { LanguageSwitch } from "./LanguageSwitch";
import { NewStory } from "./NewStory";
import { FIRST_PANEL, panelAddress } from "./panels";
import { StoryTile } from "./StoryTile";
import { ThemeSwitch } from "./ThemeSwitch";
import { texts } from "./texts";

/** All stories, and ways to begin one. */
export function Home() {
  const t = useTexts(texts);
  const language = useLanguage();
  const navigate = useNavigate();
  const [isNew, setNew] = useState(false);
  const [isOpening, setOpening] = useState(false);
  const [imported, setImported] = useState<{ file: File | null } | null>(null);
  const words = useTexts(glossary);
  const dropTexts = useTexts(importTexts);
  const drop = useDrop((file) => setImported({ file }));
  const stories = useQuery(overviewOptions({ query: { size: 1_000 } }));
  useEffect(() => {
    document.title = "Fabula";
  }, []);
  const openSample = async () => {
    setOpening(true);
    try {
      const { data } = await createSample({
        path: { sample: language === "zh" ? "harbor.zh" : "harbor.en" },
      });
      void queries.invalidateQueries();
      await navigate(panelAddress(data.id, FIRST_PANEL));
    } catch (error) {
      tellTrouble(error);
      setOpening(false);
    }
  };
  const isEmpty = stories.data?.content.length === 0;
  const sample = (
    <Button icon="book" disabled={isOpening} title={t.sampleNote} onClick={() => void openSample()}>
      {t.openSample}
    </Button>
  );
  const actions = (
    <>
      {isEmpty && sample}
      <Button look="primary" icon="plus" onClick={() => setNew(true)}>
        {t.newStory}
      </Button>
      <Button icon="upload" onClick={() => setImported({ file: null })}>
        {words.import}…
      </Button>
      {!isEmpty && sample}
    </>
  );
  return (
    <main className={styles.home} {...drop.target}>
      <header className={styles.header}>
        <div>
          <h1 className={styles.name}>Fabula</h1>
          <p className={styles.tagline}>{t.tagline}</p>
        </div>
        <div className={styles.tools}>
          <ThemeSwitch />
          <LanguageSwitch />
        </div>
      </header>
      {stories.isPending ? (
        <Loading />
      ) : stories.error ? (
        <Trouble error={stories.error} onRetry={() => void stories.refetch()} />
      ) : stories.data.content.length === 0 ? (
        <Empty title={t.storiesNone} actions={actions}>
          {t.storiesNoneNext}
        </Empty>
      ) : (
        <section aria-labelledby="stories">
          <div className={styles.bar}>
            <h2 id="stories" className={styles.heading}>
              {t.stories}
            </h2>
            <div className={styles.actions}>{actions}</div>
          </div>
          <ul className={styles.list}>
            {stories.data.content.map((one) => (
              <StoryTile key={one.story.id} {...one} />
            ))}
          </ul>
        </section>
      )}
      {isNew && <NewStory onClose={() => setNew(false)} />}
      {drop.isOver && <p className={importing.drop}>{dropTexts.drop}</p>}
      {imported && (
        <Importing key={imported.file?.name} file={imported.file} onClose={() => setImported(null)} />
      )}
    </main>
  );
}
