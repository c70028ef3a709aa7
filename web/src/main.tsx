import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./design/fonts.css";
import "./design/tokens.css";
import "./design/base.css";
import { followTheme } from "./design/theme";
import { App } from "./shell/App";

followTheme();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
