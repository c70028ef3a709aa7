import { Dialog } from "../design/Dialog";
import { shownKeys, useAllShortcuts } from "../keys/shortcuts";
import { useTexts } from "../texts/language";
import styles from "./ShortcutSheet.module.css";
import { texts } from "./texts";

/** Every key that does something here. */
export function ShortcutSheet({ onClose }: { onClose(): void }) {
  const t = useTexts(texts);
  const shortcuts = useAllShortcuts();
  const groups = [...new Set(shortcuts.map(({ group }) => group))];
  return (
    <Dialog title={t.shortcuts} onClose={onClose} wide>
      <div className={styles.groups}>
        {groups.map((group) => (
          <section key={group}>
            <h3 className={styles.group}>{group}</h3>
            <dl className={styles.list}>
              {shortcuts
                .filter((shortcut) => shortcut.group === group)
                .map(({ keys, label }) => (
                  <div key={keys} className={styles.row}>
                    <dt>{label}</dt>
                    <dd>
                      {shownKeys(keys).map((key) => (
                        <kbd key={key} className={styles.key}>
                          {key}
                        </kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
