import { useRef, useState } from "react";
import { tellTrouble } from "../../../design/toasts";
import styles from "./Scene.module.css";

interface TitleFieldProps {
  label: string;
  title: string;
  /** What it is called while it has no title. */
  usual: string;
  className?: string | undefined;
  onRename(title: string): Promise<unknown>;
}

/** A title that is written where it stands: kept on leaving it or with Enter, as it was with Escape. */
export function TitleField({ label, title, usual, className, onRename }: TitleFieldProps) {
  const [text, setText] = useState<string | null>(null);
  const isDropped = useRef(false);
  const leave = () => {
    const said = text?.trim();
    if (isDropped.current || said === undefined || said === title) setText(null);
    else
      onRename(said).then(
        () => setText(null),
        // What was typed stays to be sent again.
        tellTrouble,
      );
    isDropped.current = false;
  };
  return (
    <input
      className={`${styles.titleField} ${className ?? ""}`}
      aria-label={label}
      title={label}
      placeholder={usual}
      maxLength={256}
      value={text ?? title}
      onChange={(event) => setText(event.target.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
        event.preventDefault();
        isDropped.current = event.key === "Escape";
        event.currentTarget.blur();
      }}
    />
  );
}
