import { useState } from "react";
import { useStore } from "zustand";
import { Button } from "../../../design/Button";
import { Notice } from "../../../design/states";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import type { Keeper } from "../saving/keeper";
import { SceneConflict } from "../saving/SceneConflict";
import { texts } from "../texts";
import styles from "../Write.module.css";

interface SceneNoticesProps {
  keeper: Keeper;
  isRestored: boolean;
  isGone: boolean;
  read(): string;
}

/** What is the matter with saving, over the text: nobody is interrupted, and typing goes on. */
export function SceneNotices({ keeper, isRestored, isGone, read }: SceneNoticesProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const saving = useStore(keeper.saving);
  const [isComparing, setComparing] = useState(false);
  const theirs = saving.kind === "conflict" ? saving.theirs : null;
  return (
    <div className={styles.notices}>
      {isGone && <Notice look="warn">{t.gone}</Notice>}
      {isRestored && saving.kind !== "saved" && !theirs && <Notice>{words.restored}</Notice>}
      {theirs && (
        <Notice
          look="warn"
          actions={
            <Button size="small" onClick={() => setComparing(true)}>
              {t.compare}
            </Button>
          }
        >
          {t.newer}
        </Notice>
      )}
      {saving.kind === "unkept" && <Notice look="danger">{t.unkeptNext}</Notice>}
      {saving.kind === "refused" && (
        <Notice
          look="danger"
          actions={
            <Button size="small" onClick={() => void keeper.save()}>
              {words.retry}
            </Button>
          }
        >
          <p>{words.notSaved}</p>
          <p>
            {saving.problem.message} {saving.problem.suggestion}
          </p>
        </Notice>
      )}
      {theirs && isComparing && (
        <SceneConflict
          base={keeper.base()}
          mine={read()}
          theirs={theirs}
          onClose={() => setComparing(false)}
          onSave={(text) => {
            setComparing(false);
            void keeper.resolve(text, theirs);
          }}
        />
      )}
    </div>
  );
}
