// Schemas would compile themselves, which the policy of the page forbids: they are told before they try.
globalThis.__zod_globalConfig = { jitless: true };

// Before anything is painted, so that a dark page never flashes white.
(() => {
  let theme = "system";
  try {
    theme = JSON.parse(localStorage.getItem("fabula:theme") ?? '"system"');
  } catch {
    // Without storage the system's theme it is.
  }
  const isDark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
})();
