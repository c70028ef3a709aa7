import type { Preview } from "@storybook/react-vite";
import "../src/design/tokens.css";
import "../src/design/base.css";
import { languageStore } from "../src/texts/language";

const preview: Preview = {
  globalTypes: {
    theme: { toolbar: { title: "Theme", items: ["light", "dark"], dynamicTitle: true } },
    language: { toolbar: { title: "Language", items: ["en", "zh"], dynamicTitle: true } },
  },
  initialGlobals: { theme: "light", language: "en" },
  parameters: { layout: "fullscreen", a11y: { test: "error" } },
  decorators: [
    (Story, { globals }) => {
      document.documentElement.dataset.theme = globals.theme;
      document.documentElement.lang = globals.language;
      languageStore.set(globals.language);
      return <Story />;
    },
  ],
};

export default preview;
