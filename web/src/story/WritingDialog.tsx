import type { ReactNode } from "react";
import { Button } from "../design/Button";
import { Dialog } from "../design/Dialog";
import { Notice } from "../design/states";
import type { Problem } from "../server/problem";
import { glossary } from "../texts/glossary";
import { useTexts } from "../texts/language";

interface WritingDialogProps {
  title: string;
  wide?: boolean;
  /** What is written, as `useWriting` keeps it. */
  draft: {
    isChanged: boolean;
    isRestored: boolean;
    isBusy: boolean;
    problem: Problem | null;
    save(): void;
    discard(): void;
  };
  /** Whether what is written can be saved. */
  isFit: boolean;
  saveWord: string;
  onClose(): void;
  children: ReactNode;
}

/** A dialog in which something is written: closing it keeps the draft, cancelling gives it up. */
export function WritingDialog({
  title,
  wide,
  draft,
  isFit,
  saveWord,
  onClose,
  children,
}: WritingDialogProps) {
  const words = useTexts(glossary);
  const { problem } = draft;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide={wide ?? false}
      actions={
        <>
          <Button
            onClick={() => {
              draft.discard();
              onClose();
            }}
          >
            {words.cancel}
          </Button>
          <Button look="primary" disabled={draft.isBusy || !draft.isChanged || !isFit} onClick={draft.save}>
            {saveWord}
          </Button>
        </>
      }
    >
      {draft.isRestored && (
        <Notice
          actions={
            <Button size="small" onClick={draft.discard}>
              {words.discard}
            </Button>
          }
        >
          {words.restored}
        </Notice>
      )}
      {problem && (
        <Notice look="danger">
          <strong>{words.notSaved}</strong> {problem.message} {problem.suggestion}
        </Notice>
      )}
      {children}
    </Dialog>
  );
}
