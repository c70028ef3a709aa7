import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test as base } from "./house";

/** How the server is started; `tests/browser` says it. */
const command = process.env.FABULA_COMMAND;

/** A server of one's own, which may be ended and begun again at the same address. */
export interface OwnServer {
  readonly url: string;
  /** Ends it as a crash does: nothing is said, nothing is finished. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** `fabula serve` on a free port, with a database in a folder. */
async function serving(folder: string, settings: Record<string, string> = {}): Promise<OwnServer> {
  let running: ChildProcess | null = null;
  let port = "0";
  const start = async () => {
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("FABULA_"));
    running = spawn(command ?? "fabula", ["serve", "--db", `${folder}/own.db`, "--port", port], {
      cwd: folder,
      env: { ...Object.fromEntries(kept), FABULA_WORK_AFTER_SAVING: "off", ...settings },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines = createInterface({ input: running.stderr as NodeJS.ReadableStream });
    for await (const line of lines) {
      const found = /http:\/\/[\d.]+:(\d+)/.exec(line);
      if (found) {
        port = found[1] ?? port;
        break;
      }
    }
    running.stderr?.resume();
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    kill: async () => {
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, "exit");
      running.kill("SIGKILL");
      await ended;
    },
  };
}

/** An answer that a model is in the middle of. */
export interface Telling {
  say(words: string): void;
  finish(): void;
  /** Breaks off in the middle. */
  cut(): void;
  /** Whether whoever asked has gone. */
  readonly isLeft: boolean;
}

export interface OwnModel {
  readonly url: string;
  readonly asked: unknown[];
  /** The next answer that somebody waits for. */
  next(): Promise<Telling>;
  close(): void;
}

/** An endpoint that speaks as OpenAI does, and says its words when it is told to. */
async function modelling(): Promise<OwnModel> {
  const asked: unknown[] = [];
  const waiting: Telling[] = [];
  const wanted: ((telling: Telling) => void)[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      response.setHeader("content-type", "application/json").end('{"data": [{"id": "own"}]}');
      return;
    }
    let body = "";
    for await (const part of request) body += part;
    const wish = body === "" ? null : JSON.parse(body);
    asked.push(wish);
    const telling = wish?.stream === true ? tellingTo(response) : tellingAtOnce(response);
    const next = wanted.shift();
    if (next) next(telling);
    else waiting.push(telling);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    next: () =>
      new Promise((resolve) => {
        const telling = waiting.shift();
        if (telling) resolve(telling);
        else wanted.push(resolve);
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** An answer that comes in one piece when it is finished. */
function tellingAtOnce(response: ServerResponse): Telling {
  let said = "";
  return {
    say: (words) => {
      said += words;
    },
    finish: () => {
      const choice = { index: 0, message: { role: "assistant", content: said }, finish_reason: "stop" };
      const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          id: "a",
          object: "chat.completion",
          created: 0,
          model: "own",
          choices: [choice],
          usage,
        }),
      );
    },
    cut: () => response.destroy(),
    get isLeft() {
      return response.destroyed && !response.writableFinished;
    },
  };
}

function tellingTo(response: ServerResponse): Telling {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let isLeft = false;
  response.on("close", () => {
    isLeft = !response.writableFinished;
  });
  const send = (choice: object) =>
    response.write(
      `data: ${JSON.stringify({ id: "a", object: "chat.completion.chunk", created: 0, model: "own", choices: [choice] })}\n\n`,
    );
  return {
    say: (content) => send({ index: 0, delta: { content }, finish_reason: null }),
    finish: () => {
      send({ index: 0, delta: {}, finish_reason: "stop" });
      response.end("data: [DONE]\n\n");
    },
    cut: () => response.destroy(),
    get isLeft() {
      return isLeft;
    },
  };
}

/** A page of a server of one's own, whose model says what the test lets it say; it may also have none. */
export const test = base.extend<{ model: OwnModel; server: OwnServer; hasModel: boolean }>({
  hasModel: [true, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: that is how a fixture says that it needs nothing
  model: async ({}, use) => {
    const model = await modelling();
    await use(model);
    model.close();
  },
  server: async ({ model, hasModel }, use) => {
    test.skip(command === undefined, "needs FABULA_COMMAND, to start a server of its own");
    const folder = mkdtempSync(join(tmpdir(), "own-"));
    const settings = { FABULA_LLM_BASE_URL: model.url, FABULA_LLM_MODEL: "own" };
    const server = await serving(folder, hasModel ? settings : {});
    await use(server);
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  },
  baseURL: ({ server }, use) => use(server.url),
});
