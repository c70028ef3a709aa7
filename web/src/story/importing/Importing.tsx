import { type ComponentProps, lazy, Suspense } from "react";

const ImportDialog = lazy(async () => ({ default: (await import("./ImportDialog")).ImportDialog }));

/** The dialog that imports a file; it is loaded when it is opened, for the first route has no room for it. */
export function Importing(props: ComponentProps<typeof ImportDialog>) {
  return (
    <Suspense>
      <ImportDialog {...props} />
    </Suspense>
  );
}
