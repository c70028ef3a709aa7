import { useMemo, useState } from "react";
import { z } from "zod";
import { readKept, writeKept } from "../../../kept";

const zPins = z.array(z.string()).max(1_000);
const zBudget = z.number().int().min(0).max(1_000_000);
const USUAL_BUDGET = 4_000;

/** What the author wants told in any case, kept in this browser for each story. */
export function usePins(storyId: string) {
  const name = `pins:${storyId}`;
  const [pins, setPins] = useState(() => zPins.catch([]).parse(readKept(name) ?? []));
  return useMemo(
    () => ({
      pins,
      isPinned: (...ids: (string | null)[]) => ids.some((id) => id !== null && pins.includes(id)),
      toggle: (id: string, ...others: (string | null)[]) => {
        const same = [id, ...others];
        const next = pins.some((pin) => same.includes(pin))
          ? pins.filter((pin) => !same.includes(pin))
          : [...pins, id];
        setPins(next);
        writeKept(name, next.length > 0 ? next : undefined);
      },
    }),
    [name, pins],
  );
}

export type Pins = ReturnType<typeof usePins>;

/** How many tokens a context may take: what was chosen here, else the story's own setting. */
export function useBudget(storyId: string, settings: Record<string, unknown>) {
  const name = `budget:${storyId}`;
  const [chosen, setChosen] = useState(() => zBudget.nullable().catch(null).parse(readKept(name)));
  const own = zBudget.catch(USUAL_BUDGET).parse(settings.tokenBudget);
  return {
    budget: chosen ?? own,
    choose: (budget: number) => {
      const next = zBudget.catch(own).parse(Math.round(budget));
      setChosen(next);
      writeKept(name, next);
    },
  };
}
