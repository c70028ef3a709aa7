import type { KnownName } from "../../../client/rest";
import { NodeMark } from "../../../design/NodeMark";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Popups.module.css";
import { type Spot, spotStyle } from "./spot";
import { idOf } from "./underlining";

interface NameListProps {
  id: string;
  spot: Spot;
  names: readonly KnownName[];
  chosen: number;
  /** More was typed than these names were asked for. */
  isBusy: boolean;
  onChoose(known: KnownName): void;
  onPoint(place: number): void;
}

/** The names that fit what follows an @; the editor above keeps the focus and has the keys. */
export function NameList({ id, spot, names, chosen, isBusy, onChoose, onPoint }: NameListProps) {
  const t = useTexts(texts);
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t.names}
      aria-busy={isBusy}
      className={styles.list}
      style={spotStyle(spot)}
    >
      {names.map((known, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the editor has the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the editor keeps the focus
        <div
          key={idOf(known)}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === chosen}
          className={styles.option}
          onPointerMove={() => onPoint(place)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(known)}
        >
          <NodeMark type={known.type} />
          <span>{known.name}</span>
          {known.aliases.length > 0 && <span className={styles.aside}>{known.aliases.join(" · ")}</span>}
        </div>
      ))}
    </div>
  );
}
