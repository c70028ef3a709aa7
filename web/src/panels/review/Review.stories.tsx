import type { Meta, StoryObj } from "@storybook/react-vite";
import { answering, Placed, page, refusal } from "../../stories/answering";
import { PROPOSALS } from "../../stories/harbour";
import ReviewPanel from ".";

const meta: Meta<typeof ReviewPanel> = {
  title: "Review",
  render: () => <Placed View={ReviewPanel} path="review" at="review?proposal=p0" />,
};
export default meta;

type Shown = StoryObj<typeof ReviewPanel>;

export const Default: Shown = { beforeEach: answering({ "/extractions": page(PROPOSALS) }) };

export const Empty: Shown = { beforeEach: answering({}) };

export const ErrorState: Shown = {
  name: "Error",
  beforeEach: answering({
    "/extractions": refusal("INTERNAL_ERROR", "Something went wrong.", "Try again."),
  }),
};
