import { useState } from "react";
import type { SceneText } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { Choice, TextArea } from "../../../design/Field";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import { mergeTexts } from "./merge";
import styles from "./Saving.module.css";

interface SceneConflictProps {
  base: string;
  mine: string;
  theirs: SceneText;
  onSave(text: string): void;
  onClose(): void;
}

type Side = "mine" | "theirs" | "both";

/** Two versions of a scene, and the text that will be saved. */
export function SceneConflict({ base, mine, theirs, onSave, onClose }: SceneConflictProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const merged = mergeTexts(base, mine, theirs.text);
  const [side, setSide] = useState<Side>("both");
  const [text, setText] = useState(merged.text);
  const sides: Record<Side, string> = { mine, theirs: theirs.text, both: merged.text };
  return (
    <Dialog
      title={t.conflict}
      onClose={onClose}
      wide
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" onClick={() => onSave(text)}>
            {t.saveThis}
          </Button>
        </>
      }
    >
      <p>{t.conflictWhy}</p>
      <Choice<Side>
        label={t.which}
        value={side}
        onChange={(next) => {
          setSide(next);
          setText(sides[next]);
        }}
        options={[
          { value: "both", label: t.both },
          { value: "mine", label: t.mine },
          { value: "theirs", label: t.theirs },
        ]}
      />
      {side === "both" && <p className={styles.note}>{t.disputed(merged.disputed)}</p>}
      <TextArea label={t.saved} quiet value={text} onChange={(event) => setText(event.target.value)} />
    </Dialog>
  );
}
