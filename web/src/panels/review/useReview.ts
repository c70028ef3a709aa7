import { useRef, useState } from "react";
import {
  type BatchDecision,
  type Extraction,
  listSteps,
  type ReviewDecision,
  reviewExtraction,
  reviewExtractions,
} from "../../client/rest";
import { tell, tellTrouble } from "../../design/toasts";
import { type Problem, problemOf } from "../../server/problem";
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
  const decided = useRef<string[]>([]);

  /** Takes back the step in which a proposal was decided, and everything it wrote. */
  const undoDecision = async (id: string) => {
    decided.current = decided.current.filter((known) => known !== id);
    try {
      const { data } = await listSteps({ path: { storyId }, query: { id, size: 1 } });
      const revision = data.content[0]?.revision;
      if (revision !== undefined) await undo(storyId, revision);
    } catch (error) {
      tellTrouble(error);
    }
  };

  const settle = async (id: string, done: string) => {
    decided.current.push(id);
    tell(done, { label: words.undo, run: () => void undoDecision(id) });
    await refreshStory(storyId);
  };

  const decide = async (proposal: Extraction, request: ReviewDecision): Promise<boolean> => {
    setRefusal(null);
    const putBack = hideProposals(storyId, new Set([proposal.id]));
    try {
      await reviewExtraction({
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
    await settle(proposal.id, doneText(request.action, proposal.entityName));
    return true;
  };

  const decideMany = async (proposals: readonly Extraction[], action: Action): Promise<boolean> => {
    const ids = proposals.map(({ id }) => id);
    const putBack = hideProposals(storyId, new Set(ids));
    try {
      const { data } = await reviewExtractions({ path: { storyId }, body: { action, ids } });
      const first = data.results.find(({ reviewed }) => reviewed)?.id;
      const count = data.counts.approved + data.counts.rejected + data.counts.merged;
      if (first !== undefined) await settle(first, t.doneMany(count, data.counts.failed));
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
