import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, NavLink, Outlet, useLocation, useNavigate, useParams } from "react-router";
import { readStoryOptions } from "../client/rest/@tanstack/react-query.gen";
import { Button, IconButton } from "../design/Button";
import { Icon } from "../design/icons";
import { Loading, Trouble } from "../design/states";
import { shownKeys, useShortcuts } from "../keys/shortcuts";
import { useLive } from "../server/live";
import { withPov } from "../story/pov/pov";
import { redo, StoryContext, undo } from "../story/story";
import { glossary } from "../texts/glossary";
import { useTexts } from "../texts/language";
import { LanguageSwitch } from "./LanguageSwitch";
import { Palette } from "./Palette";
import { PANELS, panelAddress } from "./panels";
import { ShortcutSheet } from "./ShortcutSheet";
import { StorySwitcher } from "./StorySwitcher";
import { ThemeSwitch } from "./ThemeSwitch";
import { texts } from "./texts";
import { WaitingBadge } from "./WaitingBadge";
import styles from "./Workbench.module.css";
import { Working } from "./Working";

/** Everything around a panel: the story, the way to the other panels, and what works everywhere. */
export function Workbench() {
  const { storyId = "" } = useParams();
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const navigate = useNavigate();
  const { search } = useLocation();
  const [open, setOpen] = useState<"palette" | "keys" | null>(null);
  const story = useQuery(readStoryOptions({ path: { storyId } }));
  useLive(storyId);
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    // On a narrow screen the navigation scrolls: where one is stays in sight.
    void pathname;
    nav.current
      ?.querySelector("[aria-current=page]")
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [pathname]);
  const inNavigation = PANELS.filter(({ key }) => key !== null);
  const group = t.everywhere;
  useShortcuts([
    { keys: "mod+k", label: t.palette, group, inFields: true, run: () => setOpen("palette") },
    { keys: "?", label: t.shortcuts, group, run: () => setOpen("keys") },
    { keys: "mod+z", label: words.undo, group, run: () => void undo(storyId) },
    { keys: "mod+shift+z", label: words.redo, group, run: () => void redo(storyId) },
    ...inNavigation.map(({ key, word, path }) => ({
      keys: `g ${key}`,
      label: words[word],
      group,
      run: () => void navigate(withPov(panelAddress(storyId, path), search)),
    })),
  ]);
  return (
    <div className={styles.bench}>
      <a href="#content" className={styles.skip}>
        {t.skip}
      </a>
      <aside className={styles.side}>
        <Link to="/" className={styles.brand}>
          <Icon name="book" size={20} /> Fabula
        </Link>
        <div className={styles.top}>
          <StorySwitcher storyId={storyId} title={story.data?.title ?? "…"} />
          <IconButton
            icon="search"
            label={words.search}
            className={styles.find ?? ""}
            onClick={() => setOpen("palette")}
          />
          <Working storyId={storyId} className={styles.busy} />
        </div>
        <nav ref={nav} className={styles.nav} aria-label={t.panels}>
          {inNavigation.map(({ path, word, icon }) => (
            <NavLink key={path} to={withPov(panelAddress(storyId, path), search)} className={styles.link}>
              <Icon name={icon} size={19} />
              <span>{words[word]}</span>
              {path === "review" && <WaitingBadge storyId={storyId} />}
            </NavLink>
          ))}
        </nav>
        <div className={styles.foot}>
          <Working storyId={storyId} />
          <Button look="quiet" size="small" icon="search" onClick={() => setOpen("palette")}>
            {words.search}
            <span aria-hidden="true" className={styles.hint}>
              {shownKeys("mod+k")}
            </span>
          </Button>
          <div className={styles.tools}>
            <ThemeSwitch />
            <LanguageSwitch />
            <IconButton icon="keyboard" size="small" label={t.shortcuts} onClick={() => setOpen("keys")} />
          </div>
        </div>
      </aside>
      <main id="content" className={styles.content}>
        {story.data ? (
          <StoryContext value={story.data}>
            <Outlet />
          </StoryContext>
        ) : story.error ? (
          <Trouble error={story.error} onRetry={() => void story.refetch()} />
        ) : (
          <Loading />
        )}
      </main>
      {open === "palette" && <Palette storyId={storyId} onClose={() => setOpen(null)} />}
      {open === "keys" && <ShortcutSheet onClose={() => setOpen(null)} />}
    </div>
  );
}
