import type { Preview } from "@storybook/react-vite";
import "../src/design/tokens.css";
import "../src/design/base.css";
import { languageStore } from "../src/texts/language";

const preview: Preview = {
  globalTypes: {
    theme: { toolbar: { title: "Theme", items: ["light", "dark"], dynamicTitle: true } },
    language: { toolbar: { title: "Language", items: ["en", "zh"], dynamicTitle: true } },
  },
  // Looked at when asked for: the tests run axe themselves, and two of them cannot run at once.
  initialGlobals: { theme: "light", language: "en", a11y: { manual: true } },
  parameters: { layout: "fullscreen" },
  decorators: [
    (Story, { globals }) => {
      document.documentElement.dataset.theme = globals.theme;
      document.documentElement.lang = globals.language;
      languageStore.setState(globals.language);
      return <Story />;
    },
  ],
};

export default preview;
