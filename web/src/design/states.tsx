import { type ReactNode, useEffect, useState } from "react";
import { problemOf } from "../server/problem";
import { glossary } from "../texts/glossary";
import { inBoth, useTexts } from "../texts/language";
import { Button } from "./Button";
import { Icon, type IconName } from "./icons";
import styles from "./states.module.css";

const texts = inBoth({
  loading: ["Loading", "加载中"],
  offline: ["The server does not answer.", "服务器没有响应。"],
  offlineNext: [
    "Is “fabula serve” still running? What you typed is kept in this browser.",
    "“fabula serve”还在运行吗？你输入的内容已保存在此浏览器中。",
  ],
  broken: ["Something went wrong.", "出了点问题。"],
});

const PATIENCE_MS = 150;

/** Grey lines where something will be; not shown for what comes at once. */
export function Loading({ rows = 6 }: { rows?: number }) {
  const t = useTexts(texts);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.loading} role="status">
      <span className="visually-hidden">{t.loading}</span>
      {isShown &&
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        Array.from({ length: rows }, (_, row) => <div key={row} className={styles.bone} />)}
    </div>
  );
}

interface EmptyProps {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}

/** Nothing is here: says so, and what to do next. */
export function Empty({ icon = "book", title, children, actions }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.drawing}>
        <Icon name={icon} size={28} />
      </span>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.more}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

interface TroubleProps {
  error: unknown;
  onRetry?(): void;
}

/** What went wrong, and what to do next. */
export function Trouble({ error, onRetry }: TroubleProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const problem = problemOf(error);
  return (
    <div className={styles.empty} role="alert">
      <span className={styles.drawing}>
        <Icon name="alert" size={28} />
      </span>
      <p className={styles.title}>{problem.isOffline ? t.offline : problem.message || t.broken}</p>
      <p className={styles.more}>{problem.isOffline ? t.offlineNext : problem.suggestion}</p>
      {onRetry && (
        <div className={styles.actions}>
          <Button onClick={onRetry}>{words.retry}</Button>
        </div>
      )}
      <code className={styles.code}>{problem.code}</code>
    </div>
  );
}

/** A line across a panel that something is the matter, with what can be done about it. */
export function Notice({
  look = "plain",
  children,
  actions,
}: {
  look?: "plain" | "warn" | "danger";
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={styles.notice} data-look={look} role={look === "danger" ? "alert" : "status"}>
      <div>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
