import { useStore } from "zustand";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import type { Keeper, Saving } from "./keeper";
import styles from "./Saving.module.css";

/** Whether what was written is safe, in a word. */
export function SavingState({ keeper }: { keeper: Keeper }) {
  const t = useTexts(texts);
  const { kind } = useStore(keeper.saving);
  const said: Record<Saving["kind"], string> = {
    saved: t.saved,
    changed: t.changed,
    saving: t.saving,
    offline: t.keptHere,
    unkept: t.unkept,
    refused: t.keptHere,
    conflict: t.keptHere,
  };
  return (
    <span className={styles.state} data-kind={kind} role="status">
      {said[kind]}
    </span>
  );
}
