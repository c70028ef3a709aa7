import { expect, it } from "vitest";
import type { ImportFileResponse } from "../../client/rest";
import { said } from "../../texts/language";
import { countsOf } from "./counts";
import { texts } from "./texts";

const file = (more: Partial<ImportFileResponse>): ImportFileResponse => ({
  kind: "novel",
  storyId: null,
  title: "Fog",
  isNew: true,
  counts: {},
  encoding: null,
  taskId: null,
  dryRun: true,
  ...more,
});

it("tells what is in a file, and nothing of what is not", () => {
  const novel = file({ counts: { chapters: 1, scenes: 1_200, words: 0 }, encoding: "gb18030" });
  expect(countsOf(novel, said(texts, "en"))).toBe("1 chapter · 1,200 scenes · read as gb18030");
  expect(countsOf(novel, said(texts, "zh"))).toBe("1 章 · 1,200 个场景 · 编码 gb18030");
});

it("calls what is in a bundle items until a story says what they are", () => {
  const bundle = file({ kind: "bundle", counts: { entities: 3 } });
  expect(countsOf(bundle, said(texts, "en"))).toBe("3 items");
  expect(countsOf({ ...bundle, storyId: "harbour" }, said(texts, "en"))).toBe("3 entities");
});
