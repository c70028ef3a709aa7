import { z } from "zod";
import { readStory, updateStory } from "../../client/rest";
import type { Language } from "../../texts/language";

export const USES = ["selection", "cursor", "conversation"] as const;
export const SENDS = ["context", "scene", "nothing"] as const;
export const MODELS = ["write", "read", "sum_up"] as const;
export const MOST_PROMPTS = 100;
export const LONGEST_NAME = 80;
export const LONGEST_INSTRUCTION = 4_000;

const zPrompt = z.object({
  name: z.string().min(1),
  instruction: z.string().min(1),
  use: z.enum(USES).default("selection"),
  send: z.enum(SENDS).default("context"),
  model: z.enum(MODELS).default("write"),
});

/** What a model is asked, on what, with how much of the story, and which model. */
export type Prompt = z.infer<typeof zPrompt>;

/** The author's prompts; what is none is left out. */
export const promptsIn = (settings: Readonly<Record<string, unknown>>): Prompt[] =>
  (Array.isArray(settings.prompts) ? settings.prompts : []).flatMap((one) => {
    const read = zPrompt.safeParse(one);
    return read.success ? [read.data] : [];
  });

/** A file of prompts, to be taken into another story. */
export const promptFile = (prompts: readonly Prompt[]): string => `${JSON.stringify({ prompts }, null, 2)}\n`;

/** The prompts of a file; null where it is none. */
export function promptsOfFile(text: string): Prompt[] | null {
  try {
    const read = z.object({ prompts: z.array(z.unknown()) }).safeParse(JSON.parse(text));
    const prompts = read.success ? promptsIn(read.data) : [];
    return prompts.length > 0 ? prompts : null;
  } catch {
    return null;
  }
}

/** Prompts with others beside them: one of the same name is replaced, and what is beyond the limit left out. */
export const withPrompts = (before: readonly Prompt[], others: readonly Prompt[]): Prompt[] =>
  [...new Map([...before, ...others].map((one) => [one.name, one])).values()].slice(0, MOST_PROMPTS);

/** Saves the author's prompts as they are after a change, beside what somebody else has set meanwhile. */
export async function changePrompts(storyId: string, change: (before: Prompt[]) => Prompt[]) {
  const { data } = await readStory({ path: { storyId } });
  const prompts = change(promptsIn(data.settings));
  return await updateStory({ path: { storyId }, body: { settings: { ...data.settings, prompts } } });
}

type BuiltIn = readonly [use: Prompt["use"], en: readonly [string, string], zh: readonly [string, string]];

const BUILT_IN: readonly BuiltIn[] = [
  [
    "selection",
    [
      "Show, don’t tell",
      "Write this passage again so that what is said about feelings and traits is shown by what people do, say and notice.",
    ],
    ["不说破", "重写这一段：不直接说明情绪和性格，而用动作、言语和细节表现出来。"],
  ],
  [
    "selection",
    ["More dialogue", "Write this passage again and let the people in it speak where the text only reports."],
    ["多用对话", "重写这一段：原来只是转述的地方，让人物开口说话。"],
  ],
  [
    "selection",
    [
      "Tighten",
      "Write this passage again without a word that it can do without. Nothing that happens is lost.",
    ],
    ["精炼", "重写这一段，去掉一切可省的字句，情节不变。"],
  ],
  [
    "cursor",
    [
      "Describe the place",
      "Go on with one paragraph that describes the place as the person of this scene perceives it now.",
    ],
    ["描写环境", "接着写一段，描写此时人物所感知的环境。"],
  ],
  [
    "cursor",
    [
      "A turn",
      "Go on, and let something happen that nobody in the scene expects and that fits everything told so far.",
    ],
    ["转折", "接着写，发生一件场中人都没有料到、又与前文相合的事。"],
  ],
  ["cursor", ["Close the scene", "Write the last paragraphs of this scene."], ["收尾", "写出这一场的结尾。"]],
  [
    "conversation",
    [
      "Three ways on",
      "Name three different ways in which this scene could go on, in two sentences each. Do not write prose.",
    ],
    ["三种走向", "列出这一场接下来的三种不同走向，每种两句话，不要写正文。"],
  ],
  [
    "conversation",
    [
      "Read as an editor",
      "Read the scene as an editor would: what works, what drags, what is unclear? Quote the places.",
    ],
    ["以编辑的眼光看", "以编辑的眼光读这一场：哪里好，哪里拖沓，哪里不清楚？请引用原文。"],
  ],
  [
    "conversation",
    [
      "What does not fit",
      "Does anything in this scene contradict what you were told about the story? Quote both places.",
    ],
    ["前后不符", "这一场有没有与你所知的故事内容相矛盾的地方？请引用两处。"],
  ],
];

/** The prompts that every story has, in its language. */
export const builtInPrompts = (language: Language): Prompt[] =>
  BUILT_IN.map(([use, en, zh]) => {
    const [name, instruction] = language === "zh" ? zh : en;
    return { name, instruction, use, send: "context", model: use === "conversation" ? "read" : "write" };
  });
