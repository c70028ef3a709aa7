import { useState } from "react";
import { Button } from "../../../design/Button";
import { NodeMark } from "../../../design/NodeMark";
import { useTexts } from "../../../texts/language";
import styles from "./NewNames.module.css";
import { type NamedScene, settleNames, useNewNames } from "./newNames";
import { texts } from "./texts";

/** The names that nobody has, and one button that makes them part of the story. */
export default function NewNamesBar(scene: NamedScene) {
  const t = useTexts(texts);
  const names = useNewNames(scene);
  const [isBusy, setBusy] = useState(false);
  if (names.length === 0) return null;
  const add = async () => {
    setBusy(true);
    await settleNames(scene, names, { kind: "found" }, t.added(names.length));
    setBusy(false);
  };
  return (
    <section className={styles.bar} data-new-names="" aria-label={t.found(names.length)}>
      <p>{t.why}</p>
      <ul className={styles.names}>
        {names.map(({ name, type }) => (
          <li key={name} className={styles.name}>
            <NodeMark type={type} size={12} /> {name}
          </li>
        ))}
      </ul>
      <Button look="primary" size="small" icon="plus" disabled={isBusy} onClick={() => void add()}>
        {t.add(names.length)}
      </Button>
    </section>
  );
}
