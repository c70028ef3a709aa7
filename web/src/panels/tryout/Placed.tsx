import type { TriedScan } from "../../client/rest";
import { useTexts } from "../../texts/language";
import styles from "./Tryout.module.css";
import { texts } from "./texts";

/** The texts as they are put into the prompt, by where they stand. */
export function Placed({ scan }: { scan: TriedScan }) {
  const t = useTexts(texts);
  const parts: [string, string][] = [
    [t.before, scan.before],
    [t.after, scan.after],
    [t.emTop, scan.emTop.join("\n")],
    [t.emBottom, scan.emBottom.join("\n")],
    [t.anTop, scan.anTop.join("\n")],
    [t.anBottom, scan.anBottom.join("\n")],
    ...scan.atDepth.map(({ depth, contents }): [string, string] => [
      t.atDepth(String(depth)),
      contents.join("\n"),
    ]),
    ...Object.entries(scan.outlets).map(([name, contents]): [string, string] => [
      t.outlet(name),
      contents.join("\n"),
    ]),
  ];
  const said = parts.filter(([, text]) => text.trim() !== "");
  return (
    <details className={styles.group}>
      <summary>
        <span>{t.placed}</span>
      </summary>
      {said.map(([title, text]) => (
        <section key={title} className={styles.placed}>
          <h3>{title}</h3>
          <p>{text}</p>
        </section>
      ))}
    </details>
  );
}
