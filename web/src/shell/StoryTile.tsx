import { lazy, Suspense, useRef, useState } from "react";
import { Link } from "react-router";
import type { StoryOverview } from "../client/rest";
import { Icon } from "../design/icons";
import { scenePage } from "../story/addresses";
import { placesIn, texts as placeTexts } from "../story/places";
import { glossary } from "../texts/glossary";
import { useLanguage, useTexts } from "../texts/language";
import styles from "./Home.module.css";
import { FIRST_PANEL, panelAddress } from "./panels";
import type { StoryAction } from "./StoryActions";
import { texts } from "./texts";

// Not needed to see the stories: loaded when something is to be done with one.
const StoryActions = lazy(() => import("./StoryActions"));

/** A story on the home page: how much is written, where to go on, and what can be done with it. */
export function StoryTile({ story, wordCount, lastScene }: StoryOverview) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const named = useTexts(placeTexts);
  const language = useLanguage();
  const menu = useRef<HTMLDetailsElement>(null);
  const [action, setAction] = useState<StoryAction | null>(null);
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  const choose = (chosen: StoryAction) => {
    close();
    setAction(chosen);
  };
  const actions: [StoryAction, string][] = [
    ["rename", t.rename],
    ["duplicate", t.duplicate],
    ["export", t.exportIt],
    ["delete", words.delete],
  ];
  const last = lastScene && (lastScene.chapterTitle || placesIn([], named).chapterName(lastScene.chapter));
  const to = lastScene
    ? scenePage(story.id, lastScene.chapter, lastScene.scene)
    : panelAddress(story.id, FIRST_PANEL);
  return (
    <li className={styles.story}>
      <Link to={to} className={styles.open}>
        <span className={styles.title}>{story.title}</span>
        {last && <span className={styles.last}>{t.goOnAt(last)}</span>}
        <span className={styles.more}>
          {t.written(wordCount)} · {t.entityCount(story.entityCount)} ·{" "}
          {t.changed(new Date(story.updatedAt).toLocaleDateString(language, { dateStyle: "medium" }))}
        </span>
      </Link>
      <details
        ref={menu}
        className={styles.actionsMenu}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) close();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          close();
          menu.current?.querySelector("summary")?.focus();
        }}
      >
        <summary aria-label={t.actionsOf(story.title)} title={t.actionsOf(story.title)}>
          <Icon name="more" />
        </summary>
        <div className={styles.menu}>
          {actions.map(([one, label]) => (
            <button key={one} type="button" onClick={() => choose(one)}>
              {label}
            </button>
          ))}
        </div>
      </details>
      <Suspense>
        {action && <StoryActions story={story} action={action} onClose={() => setAction(null)} />}
      </Suspense>
    </li>
  );
}
