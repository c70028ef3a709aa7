import { type InputHTMLAttributes, useId, useState } from "react";
import { inBoth, useTexts } from "../texts/language";
import fields from "./Field.module.css";
import styles from "./FileField.module.css";

const texts = inBoth({
  choose: ["Choose a file", "选择文件"],
  none: ["or drop one here", "或拖放到此处"],
});

interface FileFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "onChange"> {
  label: string;
  onFile(file: File): void;
}

/** A file from this computer, chosen or dropped; the browser's own words for it may be in another language. */
export function FileField({ label, onFile, ...rest }: FileFieldProps) {
  const t = useTexts(texts);
  const id = useId();
  const [name, setName] = useState<string | null>(null);
  return (
    <div className={fields.field}>
      <label htmlFor={id} className={fields.label}>
        {label}
      </label>
      <div className={styles.box}>
        <span className={styles.button} aria-hidden="true">
          {t.choose}
        </span>
        <span className={styles.name} aria-hidden="true">
          {name ?? t.none}
        </span>
        <input
          id={id}
          type="file"
          {...rest}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (!file) return;
            setName(file.name);
            onFile(file);
          }}
        />
      </div>
    </div>
  );
}
