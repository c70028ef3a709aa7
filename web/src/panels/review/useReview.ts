import { useRef, useState } from "react";
import {
  type BatchDecision,
  type Extraction,
  type ReviewDecision,
  reviewExtraction,
  reviewExtractions,
} from "../../client/rest";
import { tell, tellTrouble } from "../../design/toasts";
import { type Problem, problemOf } from "../../server/problem";
import { revisionOf } from "../../server/revision";
import { refreshStory } from "../../server/server";
import { undo } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { hideProposals } from "./proposals";
import { texts } from "./texts";

export type Action = BatchDecision["action"];

/** Decisions: shown at once, taken back if the server refuses, and undone one by one. */
export function useReview(storyId: string) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const doneText = (action: Action, name: string) =>
    ({ approved: t.approved, rejected: t.rejected, merged: t.merged })[action](name);
  const [refusal, setRefusal] = useState<{ id: string; problem: Problem } | null>(null);
  const decided = useRef<number[]>([]);

  /** Takes back the step in which proposals were decided, and everything it wrote. */
  const undoDecision = async (revision: number) => {
    decided.current = decided.current.filter((known) => known !== revision);
    await undo(storyId, revision);
  };

  const settle = async (answer: unknown, done: string) => {
    const revision = revisionOf(answer);
    if (revision === null) {
      tell(done);
    } else {
      decided.current.push(revision);
      tell(done, { label: words.undo, run: () => void undoDecision(revision) });
    }
    await refreshStory(storyId);
  };

  const decide = async (proposal: Extraction, request: ReviewDecision): Promise<boolean> => {
    setRefusal(null);
    const putBack = hideProposals(storyId, new Set([proposal.id]));
    let answer: unknown;
    try {
      answer = await reviewExtraction({
        path: { storyId, extractionId: proposal.id },
        body: { ...request, expectedVersion: proposal.version },
      });
    } catch (error) {
      putBack();
      const problem = problemOf(error);
      setRefusal({ id: proposal.id, problem });
      if (problem.code === "EXTRACTION_ALREADY_REVIEWED") await refreshStory(storyId);
      return false;
    }
    await settle(answer, doneText(request.action, proposal.entityName));
    return true;
  };

  const decideMany = async (proposals: readonly Extraction[], action: Action): Promise<boolean> => {
    const ids = proposals.map(({ id }) => id);
    const putBack = hideProposals(storyId, new Set(ids));
    try {
      const answer = await reviewExtractions({ path: { storyId }, body: { action, ids } });
      const { approved, rejected, merged, failed } = answer.data.counts;
      const count = approved + rejected + merged;
      if (count > 0) await settle(answer, t.doneMany(count, failed));
      else await refreshStory(storyId);
    } catch (error) {
      putBack();
      tellTrouble(error);
      return false;
    }
    return true;
  };

  return {
    refusal,
    decide,
    decideMany,
    undoLast: () => {
      const last = decided.current.at(-1);
      if (last !== undefined) void undoDecision(last);
      else void undo(storyId);
    },
  };
}
