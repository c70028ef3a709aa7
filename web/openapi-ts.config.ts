import { defineConfig } from "@hey-api/openapi-ts";

// The channels have schemas of their own in src/client/knowledge.ts, the doors for models speak other people's
// languages, and of two addresses that do the same one is enough.
const LEFT_OUT = /^(?!\/api\/v2\/)|\/(ipc|knowledge-graph)\//;

export default defineConfig({
  input: process.env.FABULA_OPENAPI ?? "../schemas/openapi.json",
  output: { path: process.env.FABULA_CLIENT ?? "src/client/rest" },
  parser: {
    patch: {
      input: (document) => {
        const paths = (document.paths ?? {}) as Record<string, object>;
        for (const path of Object.keys(paths)) {
          if (LEFT_OUT.test(path)) delete paths[path];
        }
        for (const item of Object.values(paths)) {
          for (const operation of Object.values(item)) {
            if (typeof operation === "object" && operation !== null && "operationId" in operation) {
              operation.operationId = String(operation.operationId).split("_api_v2_")[0];
            }
          }
        }
      },
    },
    filters: { orphans: false },
  },
  plugins: [
    { name: "@hey-api/client-fetch", throwOnError: true },
    "@hey-api/typescript",
    { name: "zod", dates: { offset: true } },
    { name: "@hey-api/sdk", validator: { response: "zod" } },
    { name: "@tanstack/react-query", queryOptions: true, mutationOptions: true, infiniteQueryOptions: false },
  ],
});
