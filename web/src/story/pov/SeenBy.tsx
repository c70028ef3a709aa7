import { useState } from "react";
import { Button, IconButton } from "../../design/Button";
import { inBoth, useTexts } from "../../texts/language";
import { PickDialog } from "../PickDialog";
import type { Pov } from "./pov";
import styles from "./SeenBy.module.css";

const texts = inBoth({
  seeAs: ["As … sees it", "换个视角"],
  seenAs: [(name: string) => `As ${name} sees it`, (name: string) => `${name}的视角`],
  seeAll: ["Back to what the author sees", "回到作者视角"],
  title: ["As who sees it?", "以谁的视角看？"],
  why: [
    "Private facts that this person or faction does not know are dimmed here, and a model is not told them.",
    "此人物或势力不知道的私密内容会在这里变淡，也不会告知模型。",
  ],
  who: ["Person or faction", "人物或势力"],
  look: ["Show", "查看"],
  unknown: [
    (name: string) => `Nobody called “${name}” can know anything here. You see what the author sees.`,
    (name: string) => `“${name}”不是能够知情的人物。现在显示的是作者视角。`,
  ],
});

/** The switch “as … sees it”: whose point of view a panel has, kept in its address. */
export function SeenBy({ storyId, pov }: { storyId: string; pov: Pov }) {
  const t = useTexts(texts);
  const [isPicking, setPicking] = useState(false);
  const isChosen = pov.id !== null;
  return (
    <div className={styles.seen}>
      <div className={styles.who}>
        <Button size="small" look="quiet" icon="eye" aria-pressed={isChosen} onClick={() => setPicking(true)}>
          <span className={styles.name}>{isChosen ? t.seenAs(pov.name) : t.seeAs}</span>
        </Button>
        {pov.asked !== null && (
          <IconButton icon="close" size="small" label={t.seeAll} onClick={() => pov.choose(null)} />
        )}
      </div>
      {pov.isUnknown && (
        <p className={styles.unknown} role="status">
          {t.unknown(pov.name)}
        </p>
      )}
      {isPicking && (
        <PickDialog
          storyId={storyId}
          title={t.title}
          why={t.why}
          label={t.who}
          pickWord={t.look}
          onPick={({ id }) => {
            pov.choose(id);
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
}
