import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { listStoriesOptions } from "../client/rest/@tanstack/react-query.gen";
import { Button } from "../design/Button";
import { Icon } from "../design/icons";
import { useTexts } from "../texts/language";
import { LanguageSwitch } from "./LanguageSwitch";
import { NewStory } from "./NewStory";
import { FIRST_PANEL, panelAddress } from "./panels";
import styles from "./StorySwitcher.module.css";
import { ThemeSwitch } from "./ThemeSwitch";
import { texts } from "./texts";

const SHOWN = 8;

/** The story one is in, and the way to the others. */
export function StorySwitcher({ storyId, title }: { storyId: string; title: string }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const [isNew, setNew] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  const stories = useQuery(listStoriesOptions({ query: { size: SHOWN } }));
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  return (
    <>
      <details
        ref={menu}
        className={styles.switcher}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) close();
        }}
        onKeyDown={(event) => event.key === "Escape" && close()}
      >
        <summary className={styles.current} title={t.switchStory}>
          <span>{title}</span>
          <Icon name="down" />
        </summary>
        <div className={styles.menu}>
          {stories.data?.content
            .filter(({ id }) => id !== storyId)
            .map((story) => (
              <button
                key={story.id}
                type="button"
                className={styles.option}
                onClick={() => {
                  close();
                  void navigate(panelAddress(story.id, FIRST_PANEL));
                }}
              >
                {story.title}
              </button>
            ))}
          <Link to="/" className={styles.option} onClick={close}>
            {t.allStories}
          </Link>
          <Button
            size="small"
            icon="plus"
            onClick={() => {
              close();
              setNew(true);
            }}
          >
            {t.newStory}
          </Button>
          <div className={styles.tools}>
            <ThemeSwitch />
            <LanguageSwitch />
          </div>
        </div>
      </details>
      {isNew && <NewStory onClose={() => setNew(false)} />}
    </>
  );
}
