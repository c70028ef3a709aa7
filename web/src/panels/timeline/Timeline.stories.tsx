import type { Meta, StoryObj } from "@storybook/react-vite";
import { answering, Placed, page, refusal } from "../../stories/answering";
import { CHAPTERS, EVENTS } from "../../stories/harbour";
import TimelinePanel from ".";

const meta: Meta<typeof TimelinePanel> = {
  title: "Timeline",
  render: () => <Placed View={TimelinePanel} path="timeline" at="timeline?event=e1" />,
};
export default meta;

type Shown = StoryObj<typeof TimelinePanel>;

export const Default: Shown = {
  beforeEach: answering({ "/events": page(EVENTS), "/chapters": CHAPTERS }),
};

export const Empty: Shown = { beforeEach: answering({}) };

export const ErrorState: Shown = {
  name: "Error",
  beforeEach: answering({ "/events": refusal("INTERNAL_ERROR", "Something went wrong.", "Try again.") }),
};
