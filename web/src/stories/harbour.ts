import type { Entity, EntityState, Relation } from "../client/knowledge";
import type { Chapters, Extraction, HistoryStep, NameCover, StoryEvent } from "../client/rest";

/** A small part of a story, for stories about panels. */

const AT = "2026-01-01T00:00:00Z";
const OF = { projectId: "harbour", createdAt: AT, updatedAt: AT };
const UNDATED = {
  since: null,
  until: null,
  validFrom: null,
  validTo: null,
  told: null,
  secrecy: "public",
} as const;

export const entity = (id: string, name: string, more: Partial<Entity> = {}): Entity => ({
  ...OF,
  id,
  name,
  type: "character",
  description: "",
  attributes: {},
  aliases: [],
  names: [],
  aiContextLevel: "when_detected",
  significance: 0.5,
  layoutX: null,
  layoutY: null,
  promptText: "",
  ...UNDATED,
  version: 1,
  ...more,
});

export const LI = entity("li", "Jiang Li", {
  description: "Keeper of the Homeward Tower. She is quicker in lamp-speech than in talk.",
  attributes: { age: 27, occupation: "lamp keeper" },
  aliases: ["A-Li"],
  aiContextLevel: "always",
  version: 2,
});
export const TOWER = entity("tower", "Homeward Tower", { type: "location" });
export const SHEN = entity("shen", "Shen Chao");

const relation = (
  id: string,
  target: string,
  relationType: string,
  more: Partial<Relation> = {},
): Relation => ({
  ...OF,
  id,
  sourceEntityId: "li",
  targetEntityId: target,
  relationType,
  description: "",
  properties: {},
  ...UNDATED,
  version: 1,
  ...more,
});

export const RELATIONS = [
  relation("r1", "shen", "ally", { description: "A friendship of many years." }),
  relation("r2", "tower", "located_at", { until: { chapter: 1, scene: null } }),
];

export const STATES: EntityState[] = [
  {
    ...OF,
    id: "s1",
    entityId: "li",
    description: "She has lost her voice.",
    attributes: {},
    ...UNDATED,
    since: { chapter: 1, scene: null },
    version: 1,
  },
];

const scene = (number: number, title: string) => ({
  id: title,
  scene: number,
  title,
  wordCount: 400,
  version: 1,
  updatedAt: AT,
  worldTime: null,
  pov: null,
  wordGoal: null,
  hasNotes: false,
  opening: "",
});

export const CHAPTERS: Chapters = {
  chapters: [
    {
      chapter: 0,
      title: "The Empty Ship",
      wordCount: 800,
      scenes: [scene(0, "Fog Rising"), scene(1, "Half a Cup")],
    },
    { chapter: 1, title: "Lights Out", wordCount: 400, scenes: [scene(0, "The Dark Night")] },
  ],
};

export const APPEARANCES = {
  items: [
    {
      chapter: 0,
      scene: 0,
      title: "Fog Rising",
      count: 5,
      quotation: "Jiang Li wrote the hour.",
      start: 0,
      end: 8,
    },
    { chapter: 1, scene: 0, title: "The Dark Night", count: 2, quotation: "A-Li ran.", start: 0, end: 4 },
  ],
  totalCount: 7,
};

export const STEPS: HistoryStep[] = [
  {
    revision: 7,
    at: AT,
    actor: "local",
    action: "knowledge:entity:update",
    reverts: null,
    revertedBy: null,
    changeCount: 1,
    changes: [
      {
        kind: "entity",
        id: "li",
        before: { description: "A keeper." },
        after: { description: LI.description },
      },
    ],
  },
];

const event = (id: string, name: string, chapter: number, people: [string, string][]): StoryEvent => ({
  ...OF,
  id,
  name,
  summary: `${name}: what happened.`,
  event: "",
  timeAnchor: "at night",
  causality: "",
  logic: [],
  level: 1,
  significance: 0.7,
  moment: { chapter, scene: 0 },
  told: null,
  worldTime: null,
  secrecy: "public",
  tells: [],
  place: 0,
  aiContextLevel: "when_detected",
  aliases: [],
  attributes: {},
  promptText: "",
  structuredKv: { time_anchor: "", role: [], location: "", event: "", logic: [], causality: "" },
  locations: [{ entityId: "tower", name: "Homeward Tower", properties: {} }],
  roles: people.map(([entityId, role]) => ({
    entityId,
    name: entityId === "li" ? "Jiang Li" : "Shen Chao",
    properties: {},
    role,
  })),
  version: 1,
});

export const EVENTS = [
  event("e1", "Empty Ship", 0, [
    ["li", "discoverer"],
    ["shen", "companion"],
  ]),
  event("e2", "Lamps Out", 1, [["li", "keeper"]]),
];

export const PROPOSALS: Extraction[] = [
  ["Brass Bell", "item", 0.95],
  ["Dusk", "concept", 0.3],
].map(([entityName, entityType, confidence], place) => ({
  id: `p${place}`,
  storyId: "harbour",
  manuscriptId: null,
  chapter: null,
  scene: null,
  kind: "entity",
  suggestion: "new",
  entityName: String(entityName),
  entityType: String(entityType),
  attributesJson: { material: "brass" },
  aliases: [],
  names: [],
  sameAs: null,
  sourceText: `At dusk she rang the ${entityName}.`,
  sourceStart: 0,
  sourceEnd: 10,
  sourceFound: true,
  confidence: Number(confidence),
  extractor: "local",
  reviewed: false,
  reviewAction: "pending",
  linkedLorebookId: null,
  linkedEntityId: null,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
}));

const cover = (name: string, origin: NameCover["origin"], confirmed = false): NameCover => ({
  name,
  ownerId: name,
  hidden: "Mr Salt",
  origin,
  confirmed,
  told: confirmed || origin === "author",
});

export const COVERS = [
  cover("Fears Mr Salt", "others"),
  cover("Mr Salt's Wharf", "manuscript"),
  cover("Mr Salt's Ledger", "others", true),
  cover("Mr Salt's ship", "author"),
];
