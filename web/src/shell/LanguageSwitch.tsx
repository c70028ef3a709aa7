import { Button } from "../design/Button";
import { languageStore, useLanguage, useTexts } from "../texts/language";
import { texts } from "./texts";

/** Goes to the other language; the button says its name. */
export function LanguageSwitch() {
  const t = useTexts(texts);
  const language = useLanguage();
  const other = language === "zh" ? "en" : "zh";
  return (
    <Button look="quiet" size="small" lang={other} onClick={() => languageStore.setState(other)}>
      {t.otherLanguage}
    </Button>
  );
}
