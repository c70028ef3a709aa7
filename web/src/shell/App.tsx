import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { BrowserRouter, Navigate, Route, Routes } from "react-router";
import { Toasts } from "../design/toasts";
import { queries, watchConnection } from "../server/server";
import { useLanguage } from "../texts/language";
import { ConnectionBanner } from "./ConnectionBanner";
import { Home } from "./Home";
import { Place } from "./Place";
import { FIRST_PANEL, PANELS } from "./panels";
import { Workbench } from "./Workbench";

export function App() {
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  }, [language]);
  useEffect(watchConnection, []);
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <ConnectionBanner />
        <Routes>
          <Route path="/" element={<Home />} />
          <Route path="/stories/:storyId" element={<Workbench />}>
            <Route index element={<Navigate to={FIRST_PANEL} replace />} />
            {PANELS.map(({ path, word, View }) => (
              <Route
                key={path}
                path={path}
                element={
                  <Place word={word}>
                    <View />
                  </Place>
                }
              />
            ))}
          </Route>
          <Route path="*" element={<Navigate to="/" replace />} />
        </Routes>
        <Toasts />
      </BrowserRouter>
    </QueryClientProvider>
  );
}
