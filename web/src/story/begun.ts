import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router";

/** In the address of a panel, what new thing is to be begun there. */
export const BEGUN = "new";

/** Begins what the address asks for, once, after the wish is out of the address. */
export function useBegun(begin: (what: string) => void): void {
  const [params, setParams] = useSearchParams();
  const asked = params.get(BEGUN);
  const wish = useRef<string | null>(null);
  useEffect(() => {
    if (asked !== null) {
      wish.current = asked;
      setParams(
        (before) => {
          before.delete(BEGUN);
          return before;
        },
        { replace: true },
      );
    } else if (wish.current !== null) {
      const what = wish.current;
      wish.current = null;
      begin(what);
    }
  });
}
