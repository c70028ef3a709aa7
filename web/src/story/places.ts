import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ChapterInfo, Moment } from "../client/rest";
import { listChaptersOptions } from "../client/rest/@tanstack/react-query.gen";
import { inBoth, type Said, useTexts } from "../texts/language";

export const texts = inBoth({
  chapter: [(number: number) => `Chapter ${number}`, (number: number) => `第 ${number} 章`],
  scene: [(number: number) => `Scene ${number}`, (number: number) => `第 ${number} 场`],
});

/** A chapter or a scene as people count it: they begin with 1, addresses and the server with 0. */
export const counted = (index: number): number => index + 1;

const OWN_NUMBER =
  /^(第\s*[\d０-９零〇一二三四五六七八九十百千两兩]+\s*[章回节節话話折幕集卷部篇册冊]|卷\s*[\d一二三四五六七八九十百]+|楔子|序|引子|前言|尾[声聲]|[后後][记記]|番外|(chapter|letter|canto|stave|part|book|volume|act)\s|(prologue|epilogue|preface|introduction|foreword|afterword|interlude|conclusion)\b|\d{1,4}([.、．:：\s]|$)|[IVXLC]{1,8}([.:]|$))/i;

/** Whether the title of a chapter says itself which it is: 第十四回, Chapter XIV, Prologue. */
export const hasOwnNumber = (title: string): boolean => OWN_NUMBER.test(title.trim());

const ONLY_NUMBER =
  /^(第\s*\S+?\s*[章回节節话話折幕集卷部篇册冊]|(?:chapter|letter|canto|stave|part|book|volume|act)\s+[\dA-Z]+(?:-[A-Z]+)?|(?:\d{1,4}|[IVXLC]{1,8})(?=[.、．:：\s]|$))/i;
// Longer than that, the title of a chapter is no name to be used in passing.
const SHORT = 24;

/** The places of a story as people call them. */
export interface Places {
  readonly chapters: readonly ChapterInfo[];
  /** The title of a chapter, or its number. */
  chapterName(chapter: number): string;
  /** The number that the book prints for a chapter, without the title behind it: 第十四回. */
  shortName(chapter: number): string;
  sceneName(chapter: number, scene: number): string;
  /** Chapter and scene of a moment. */
  momentName(moment: Moment): string;
  /** A place as the server writes it, `3.1`, as people call it. */
  placeName(address: string): string;
  /** The number before a chapter's title; null where the book prints its own, or the title is the number. */
  numberBefore(chapter: number): number | null;
}

export function placesIn(chapters: readonly ChapterInfo[], t: Said<typeof texts>): Places {
  const known = new Map(chapters.map((chapter) => [chapter.chapter, chapter]));
  const chapterName = (chapter: number) => known.get(chapter)?.title || t.chapter(counted(chapter));
  const sceneName = (chapter: number, scene: number) =>
    known.get(chapter)?.scenes.find((one) => one.scene === scene)?.title || t.scene(counted(scene));
  const momentName = ({ chapter, scene }: Moment) =>
    scene === null || scene === undefined
      ? chapterName(chapter)
      : `${chapterName(chapter)} · ${sceneName(chapter, scene)}`;
  const shortName = (chapter: number) => {
    const name = chapterName(chapter);
    if (hasOwnNumber(name)) return ONLY_NUMBER.exec(name.trim())?.[0] ?? name;
    return [...name].length > SHORT ? t.chapter(counted(chapter)) : name;
  };
  const isNumbered = chapters.some(({ title }) => hasOwnNumber(title));
  return {
    chapters,
    chapterName,
    shortName,
    sceneName,
    momentName,
    placeName: (address) => {
      const [, chapter, scene] = /^(\d+)\.(\d+)/.exec(address) ?? [];
      if (chapter === undefined) return address;
      return momentName({ chapter: Number(chapter), scene: Number(scene) });
    },
    numberBefore: (chapter) => (isNumbered || !known.get(chapter)?.title ? null : counted(chapter)),
  };
}

const NONE: readonly ChapterInfo[] = [];

export function usePlaces(storyId: string): Places {
  const t = useTexts(texts);
  const chapters = useQuery(listChaptersOptions({ path: { storyId } })).data?.chapters ?? NONE;
  return useMemo(() => placesIn(chapters, t), [chapters, t]);
}

const END = Number.MAX_SAFE_INTEGER;
const SCENES = 2 ** 21;

/** When a moment begins, as a number that grows with the telling. */
export const beginningOf = (moment: Moment): number => moment.chapter * SCENES + (moment.scene ?? -1) + 1;

/** When a moment ends: one without a scene is a whole chapter. */
export const endOf = (moment: Moment): number =>
  moment.scene === null || moment.scene === undefined
    ? (moment.chapter + 1) * SCENES - 1
    : beginningOf(moment);

/** Whether what is true since and until certain moments is true at another. */
export function holdsAt(
  period: { readonly since?: Moment | null; readonly until?: Moment | null },
  moment: Moment | null,
): boolean {
  if (moment === null) return true;
  const from = period.since ? beginningOf(period.since) : 0;
  const to = period.until ? endOf(period.until) : END;
  return from <= endOf(moment) && beginningOf(moment) <= to;
}
