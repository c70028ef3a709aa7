import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { listModels, type ModelSetupResponse, saveModelSetup, tryModel } from "../../client/rest";
import { readModelSetupOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Select, TextField } from "../../design/Field";
import { Trouble } from "../../design/states";
import { tell, tellTrouble } from "../../design/toasts";
import { problemOf } from "../../server/problem";
import { queries } from "../../server/server";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { texts } from "./modelTexts";
import styles from "./Settings.module.css";

/** Where servers of models usually are; others are typed in. */
const PRESETS = [
  { name: "Ollama", address: "http://127.0.0.1:11434/v1" },
  { name: "LM Studio", address: "http://127.0.0.1:1234/v1" },
  { name: "llama.cpp", address: "http://127.0.0.1:8080/v1" },
  { name: "OpenAI", address: "https://api.openai.com/v1" },
  { name: "OpenRouter", address: "https://openrouter.ai/api/v1" },
] as const;

const TASKS = ["write", "read", "sumUp"] as const;

/** The language model of the server: where it is, which model does what, and whether it answers. */
export default function ModelSettings() {
  const t = useTexts(texts);
  const setup = useQuery(readModelSetupOptions());
  return (
    <section className={styles.group} aria-labelledby="model-settings">
      <h2 id="model-settings">{t.model}</h2>
      <p>{t.modelWhy}</p>
      {setup.error && <Trouble error={setup.error} onRetry={() => void setup.refetch()} />}
      {setup.data &&
        (setup.data.mayChange ? (
          <ModelForm key={JSON.stringify(setup.data)} setup={setup.data} />
        ) : (
          <p>{setup.data.configured ? t.othersSetIt(setup.data.models.write ?? "") : t.notYours}</p>
        ))}
    </section>
  );
}

type Trial = { text: string; isGood: boolean } | null;

function ModelForm({ setup }: { setup: ModelSetupResponse }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [address, setAddress] = useState(setup.address ?? "");
  const [key, setKey] = useState("");
  const [models, setModels] = useState(setup.models);
  const [offered, setOffered] = useState<readonly string[]>([]);
  const [trial, setTrial] = useState<Trial>(null);
  const [isBusy, setBusy] = useState(false);
  const isAddressFixed = setup.fixed.includes("address");
  const isModelFixed = setup.fixed.includes("model");
  const isSame = address.trim().replace(/\/+$/, "") === (setup.address ?? "");
  const hasKey = setup.hasKey && isSame;
  const asked = { ...(isAddressFixed ? {} : { address, ...(key === "" ? {} : { key }) }) };
  const doing = async (act: () => Promise<void>) => {
    setBusy(true);
    setTrial(null);
    try {
      await act();
    } catch (error) {
      const problem = problemOf(error);
      setTrial({ text: [problem.message, problem.suggestion].filter(Boolean).join(" "), isGood: false });
    }
    setBusy(false);
  };
  const list = () =>
    doing(async () => {
      const { data } = await listModels({ body: asked });
      setOffered(data.models);
      setTrial({ text: t.listed(data.models.length), isGood: true });
    });
  const attempt = () =>
    doing(async () => {
      const { data } = await tryModel({ body: { ...asked, model: models.write ?? "" } });
      setTrial({ text: t.tried(data.text, data.firstWordSeconds, data.charactersPerSecond), isGood: true });
    });
  const save = async (body: Parameters<typeof saveModelSetup>[0]["body"], done: string) => {
    setBusy(true);
    try {
      const { data } = await saveModelSetup({ body });
      queries.setQueryData(readModelSetupOptions().queryKey, data);
      await queries.invalidateQueries();
      tell(done);
    } catch (error) {
      tellTrouble(error);
    }
    setBusy(false);
  };
  const isChanged =
    !isSame || key !== "" || TASKS.some((task) => (models[task] ?? "") !== (setup.models[task] ?? ""));
  return (
    <form
      className={styles.model}
      onSubmit={(event) => {
        event.preventDefault();
        void save({ ...asked, address: isAddressFixed ? "" : address, models }, t.modelSaved);
      }}
    >
      {setup.fixed.length > 0 && <p className={styles.fixed}>{t.fixed}</p>}
      {!isAddressFixed && (
        <Select
          label={t.preset}
          value={PRESETS.find((one) => one.address === address)?.address ?? ""}
          options={[
            { value: "", label: t.other },
            ...PRESETS.map((one) => ({ value: one.address, label: one.name })),
          ]}
          onChange={(chosen: string) => {
            if (chosen) setAddress(chosen);
            setOffered([]);
          }}
        />
      )}
      <TextField
        label={t.address}
        type="url"
        inputMode="url"
        placeholder="http://127.0.0.1:11434/v1"
        value={address}
        readOnly={isAddressFixed}
        maxLength={2000}
        onChange={(event) => {
          setAddress(event.target.value);
          setOffered([]);
        }}
      />
      {!isAddressFixed && (
        <TextField
          label={t.key}
          hint={hasKey ? t.keyThere : setup.hasKey ? t.keyDropped : t.keyWhy}
          type="password"
          autoComplete="off"
          placeholder={hasKey ? "••••••••" : ""}
          value={key}
          maxLength={4000}
          onChange={(event) => setKey(event.target.value)}
        />
      )}
      {TASKS.map((task) => (
        <TextField
          key={task}
          label={t[task]}
          list="models-offered"
          placeholder={task === "write" ? t.onlyModel : (models.write ?? "") || t.onlyModel}
          value={models[task] ?? ""}
          readOnly={isModelFixed}
          maxLength={200}
          onChange={(event) => setModels({ ...models, [task]: event.target.value })}
        />
      ))}
      <datalist id="models-offered">
        {offered.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {(isBusy || trial) && (
        <p role="status" className={styles.trial} data-bad={trial?.isGood === false || undefined}>
          {isBusy ? t.asking : trial?.text}
        </p>
      )}
      <div className={styles.acts}>
        <Button disabled={isBusy || address.trim() === ""} onClick={() => void list()}>
          {t.list}
        </Button>
        <Button disabled={isBusy || address.trim() === ""} onClick={() => void attempt()}>
          {t.try}
        </Button>
        {setup.address && !isAddressFixed && (
          <Button disabled={isBusy} onClick={() => void save({ address: "", key: "" }, t.modelRemoved)}>
            {t.remove}
          </Button>
        )}
        <Button type="submit" look="primary" disabled={isBusy || !isChanged}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
