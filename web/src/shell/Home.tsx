import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { createSample } from "../client/rest";
import { listStoriesOptions } from "../client/rest/@tanstack/react-query.gen";
import { Button } from "../design/Button";
import { Icon } from "../design/icons";
import { Empty, Loading, Trouble } from "../design/states";
import { tellTrouble } from "../design/toasts";
import { queries } from "../server/server";
import { ImportDialog } from "../story/importing/ImportDialog";
import importing from "../story/importing/Importing.module.css";
import { texts as importTexts } from "../story/importing/texts";
import { useDrop } from "../story/importing/useDrop";
import { glossary } from "../texts/glossary";
import { useLanguage, useTexts } from "../texts/language";
import styles from "./Home.module.css";
import { LanguageSwitch } from "./LanguageSwitch";
import { NewStory } from "./NewStory";
import { FIRST_PANEL, panelAddress } from "./panels";
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
  const stories = useQuery(listStoriesOptions({ query: { size: 1_000 } }));
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
  const actions = (
    <>
      <Button look="primary" icon="plus" onClick={() => setNew(true)}>
        {t.newStory}
      </Button>
      <Button icon="upload" onClick={() => setImported({ file: null })}>
        {words.import}…
      </Button>
      <Button icon="book" disabled={isOpening} title={t.sampleNote} onClick={() => void openSample()}>
        {t.openSample}
      </Button>
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
            {stories.data.content.map((story) => (
              <li key={story.id}>
                <Link to={panelAddress(story.id, FIRST_PANEL)} className={styles.story}>
                  <span className={styles.title}>{story.title}</span>
                  <span className={styles.more}>
                    {t.storyCounts(story.entityCount, story.relationCount)} ·{" "}
                    {t.changed(
                      new Date(story.updatedAt).toLocaleDateString(language, { dateStyle: "medium" }),
                    )}
                  </span>
                  <Icon name="book" />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {isNew && <NewStory onClose={() => setNew(false)} />}
      {drop.isOver && <p className={importing.drop}>{dropTexts.drop}</p>}
      {imported && (
        <ImportDialog key={imported.file?.name} file={imported.file} onClose={() => setImported(null)} />
      )}
    </main>
  );
}
