import type { Category } from "../../client/rest";
import { NodeMark } from "../../design/NodeMark";
import { useShortcuts } from "../../keys/shortcuts";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Proposal.module.css";
import { texts } from "./texts";

/** In the order of the keys 1 to 6. */
export const TYPES = [
  "character",
  "location",
  "item",
  "event",
  "concept",
  "faction",
] as const satisfies Category[];

interface TypeChoiceProps {
  type: string;
  onChoose(type: Category): void;
}

/** What a newcomer is, if it is not what it was taken for. */
export function TypeChoice({ type, onChoose }: TypeChoiceProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  useShortcuts(
    TYPES.map((one, place) => ({
      keys: `${place + 1}`,
      label: `${t.typeIs} ${words[one]}`,
      group: words.review,
      run: () => onChoose(one),
    })),
  );
  return (
    <fieldset className={styles.types}>
      <legend className="visually-hidden">{t.typeIs}</legend>
      {TYPES.map((one, place) => (
        <button
          key={one}
          type="button"
          className={styles.type}
          aria-pressed={one === type}
          aria-keyshortcuts={`${place + 1}`}
          onClick={() => onChoose(one)}
        >
          <NodeMark type={one} />
          {words[one]}
          <span aria-hidden="true" className={styles.key}>
            {place + 1}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
