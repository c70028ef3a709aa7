import type { Secrecy } from "../client/rest";
import { Switch } from "../design/Field";
import { glossary } from "../texts/glossary";
import { useTexts } from "../texts/language";

interface SecrecySwitchProps {
  secrecy: Secrecy;
  onChange(secrecy: Secrecy): void;
}

/** Whether only those know a fact who were there or were told. */
export function SecrecySwitch({ secrecy, onChange }: SecrecySwitchProps) {
  const words = useTexts(glossary);
  return (
    <Switch
      label={words.onlyKnowers}
      checked={secrecy === "private"}
      onChange={(isPrivate) => onChange(isPrivate ? "private" : "public")}
    />
  );
}
