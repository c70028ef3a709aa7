import { useState } from "react";
import { useStore } from "zustand";
import { Button } from "../design/Button";
import { Dialog } from "../design/Dialog";
import { TextField } from "../design/Field";
import { tokenStore } from "../server/send";
import { connectionStore, queries } from "../server/server";
import { useTexts } from "../texts/language";
import styles from "./ConnectionBanner.module.css";
import { texts } from "./texts";

/** Says that the server is gone, or asks who is there. */
export function ConnectionBanner() {
  const t = useTexts(texts);
  const connection = useStore(connectionStore);
  if (connection === "unknown") return <SignIn />;
  if (connection === "well") return null;
  return (
    <div className={styles.banner} role="alert">
      <strong>{t.lost}</strong> {t.lostNext}
    </div>
  );
}

function SignIn() {
  const t = useTexts(texts);
  const [token, setToken] = useState("");
  const enter = () => {
    tokenStore.setState(token.trim());
    connectionStore.setState("well");
    void queries.invalidateQueries();
  };
  return (
    <Dialog
      title={t.signIn}
      onClose={() => {}}
      actions={
        <Button look="primary" disabled={token.trim() === ""} onClick={enter}>
          {t.signIn}
        </Button>
      }
    >
      <p>{t.signInWhy}</p>
      <TextField
        label={t.token}
        type="password"
        autoComplete="off"
        value={token}
        onChange={(event) => setToken(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && token.trim() && enter()}
      />
    </Dialog>
  );
}
