import type { Meta, StoryObj } from "@storybook/react-vite";
import { answering, Placed, page, refusal, SILENCE } from "../../stories/answering";
import {
  APPEARANCES,
  CHAPTERS,
  EVENTS,
  entity,
  LI,
  RELATIONS,
  SHEN,
  STATES,
  STEPS,
  TOWER,
} from "../../stories/harbour";
import EntityPanel from ".";

const meta: Meta<typeof EntityPanel> = {
  title: "Entity",
  render: () => <Placed View={EntityPanel} path="entities/:entityId" at="entities/li" />,
};
export default meta;

type Shown = StoryObj<typeof EntityPanel>;

export const Default: Shown = {
  beforeEach: answering({
    "knowledge:entity:read": LI,
    "knowledge:relation:list": { items: RELATIONS, totalCount: 2 },
    "knowledge:query:byids": { items: [SHEN, TOWER] },
    "knowledge:state:list": { items: STATES, totalCount: 1 },
    "/chapters": CHAPTERS,
    "/appearances": APPEARANCES,
    "/events": page(EVENTS),
    "/history": page(STEPS),
  }),
};

export const Empty: Shown = {
  beforeEach: answering({ "knowledge:entity:read": entity("li", "Jiang Li") }),
};

export const ErrorState: Shown = {
  name: "Error",
  beforeEach: answering({
    "knowledge:entity:read": refusal(
      "NOT_FOUND",
      "There is no entity 'li' in this story.",
      "Look in the lorebook.",
    ),
  }),
};

export const Loading: Shown = {
  beforeEach: answering({ "knowledge:entity:read": SILENCE }),
};
