import type { Meta, StoryObj } from "@storybook/react-vite";
import { answering, Placed, refusal, SILENCE } from "../../stories/answering";
import { COVERS } from "../../stories/harbour";
import SettingsPanel from ".";

const meta: Meta<typeof SettingsPanel> = {
  title: "Settings",
  render: () => <Placed View={SettingsPanel} path="settings" at="settings" />,
};
export default meta;

type Shown = StoryObj<typeof SettingsPanel>;

export const Default: Shown = { beforeEach: answering({ "/covers": { items: COVERS } }) };

export const Empty: Shown = {
  render: () => <Placed View={SettingsPanel} path="settings" at="settings?covers" />,
  beforeEach: answering({ "/covers": { items: [] } }),
};

export const Waiting: Shown = { beforeEach: answering({ "/covers": SILENCE }) };

export const ErrorState: Shown = {
  name: "Error",
  beforeEach: answering({ "/covers": refusal("INTERNAL_ERROR", "Something went wrong.", "Try again.") }),
};
