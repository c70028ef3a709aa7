import { type ReactNode, Suspense, useEffect } from "react";
import { useLocation } from "react-router";
import { Loading } from "../design/states";
import { useStory } from "../story/story";
import { glossary } from "../texts/glossary";
import { useTexts } from "../texts/language";
import { ErrorBoundary } from "./ErrorBoundary";

/** Where a panel stands: loaded, titled, and alone in its failures. */
export function Place({ word, children }: { word: keyof typeof glossary; children: ReactNode }) {
  const words = useTexts(glossary);
  const story = useStory();
  const { pathname } = useLocation();
  const title = `${words[word]} · ${story.title}`;
  useEffect(() => {
    document.title = `${title} · Fabula`;
  }, [title]);
  return (
    <ErrorBoundary key={pathname}>
      <h1 className="visually-hidden">{title}</h1>
      <Suspense fallback={<Loading />}>{children}</Suspense>
    </ErrorBoundary>
  );
}
