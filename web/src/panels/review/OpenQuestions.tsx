import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { askOpenQuestions } from "../../client/rest";
import { listOpenQuestionsOptions, settingsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Notice } from "../../design/states";
import { tell, tellTrouble } from "../../design/toasts";
import { JobProgress } from "../../story/JobProgress";
import { unfinishedOptions } from "../../story/jobs";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

/** What the rules left open about a book, and the price of letting the model answer it. */
export function OpenQuestions({ storyId }: { storyId: string }) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const model = useQuery(settingsOptions()).data?.languageModel;
  const options = listOpenQuestionsOptions({ path: { storyId } });
  const open = useQuery({ ...options, enabled: model?.configured === true }).data;
  const [jobId, setJobId] = useState<string | null>(null);
  const jobs = unfinishedOptions(storyId);
  const others = useQuery({ ...jobs, enabled: model?.configured === true }).data?.content;
  // Begun by this page before it was left, or by another window; followed to its end, when it is listed no more.
  const found = others?.find(({ kind }) => kind === "open-questions")?.id;
  useEffect(() => {
    if (found !== undefined) setJobId(found);
  }, [found]);
  const ask = () =>
    askOpenQuestions({ path: { storyId } }).then(({ data }) => setJobId(data.taskId), tellTrouble);
  if (jobId !== null) {
    return (
      <JobProgress
        jobId={jobId}
        label={t.askingModel}
        told={({ message }) => message}
        onEnd={(job) => {
          setJobId(null);
          const [asked, tokens] = job.message.split(" / ");
          tell(job.status === "done" ? t.askedModel(asked ?? "", tokens ?? "") : t.notAsked);
          for (const { queryKey } of [options, jobs]) void client.invalidateQueries({ queryKey });
        }}
      />
    );
  }
  if (!open || open.requestCount === 0) return null;
  const tokens = open.promptTokens + open.answerTokens;
  return (
    <Notice
      actions={
        <Button icon="pen" onClick={() => void ask()}>
          {t.askModel}
        </Button>
      }
    >
      {t.openQuestions(open.sameCount, open.tieCount)} {t.askPrice(open.requestCount, tokens)}
    </Notice>
  );
}
