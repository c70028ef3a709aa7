import { Component, type ErrorInfo, type ReactNode } from "react";
import { Button } from "../design/Button";
import { Empty } from "../design/states";
import { glossary } from "../texts/glossary";
import { useTexts } from "../texts/language";
import { texts } from "./texts";

interface Failed {
  error: Error | null;
}

/** Keeps a fault to the part of the page it is in. */
export class ErrorBoundary extends Component<{ children: ReactNode }, Failed> {
  override state: Failed = { error: null };

  static getDerivedStateFromError(error: Error): Failed {
    return { error };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Crashed error={error} onRetry={() => this.setState({ error: null })} />;
  }
}

function Crashed({ error, onRetry }: { error: Error; onRetry(): void }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  return (
    <Empty
      icon="alert"
      title={t.crashed}
      actions={
        <>
          <Button look="primary" onClick={onRetry}>
            {words.retry}
          </Button>
          <Button onClick={() => location.reload()}>{t.reload}</Button>
        </>
      }
    >
      <p>{t.crashedNext}</p>
      <p>
        <code>{error.message}</code>
      </p>
    </Empty>
  );
}
