// Quick sums: a small web game with a weekly board, ranks of countries, a league and a live page.
//
//   npm start -- [--port PORT] [--seconds SECONDS]

import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { errors, Leaderboard } from "leaderboard-client";
import { startServer } from "leaderboard-server";
import { fromNodeRedis } from "leaderboard-client/node-redis";
import { createClient } from "redis";
import { ZodError } from "zod";

import { Boards, json } from "./boards.js";
import { Live } from "./live.js";
import { Answers, Country, Entry, Referee, Refused } from "./rounds.js";

const PAGE = fileURLToPath(new URL("../../page", import.meta.url));

/** Returns the web app. */
function game(boards: Boards, live: Live, referee: Referee): Hono {
  const app = new Hono();
  app.post("/rounds", async ({ req }) => {
    const entry = Entry.parse(await req.json());
    const lastWeek = await boards.enter(entry.player);
    const { round, token } = await referee.begin(entry);
    return reply({ token, seconds: referee.seconds, sums: round.sums, lastWeek });
  });
  app.post("/results", async ({ req }) => {
    const { round, points } = await referee.judge(Answers.parse(await req.json()));
    return reply(await boards.count(round, points));
  });
  app.get("/live", (context) => {
    const country = Country.parse(context.req.query("country"));
    return streamSSE(context, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => { gone.abort(); });
      for await (const data of live.follow(country, gone.signal)) {
        await stream.writeSSE({ data });
      }
    });
  });
  app.use(serveStatic({ root: PAGE }));
  app.onError(explain);
  return app;
}

function reply(value: unknown, status = 200): Response {
  return new Response(json(value), { status, headers: { "content-type": "application/json" } });
}

/** Says in the reply why a request is refused. */
function explain(error: Error): Response {
  if (error instanceof Refused) {
    return reply({ error: error.message }, error.status);
  }
  if (error instanceof ZodError || error instanceof SyntaxError) {
    return reply({ error: "A name has 1 to 20 characters, a country two letters, an answer is a number." }, 400);
  }
  if (error instanceof errors.IdReused) {
    return reply({ error: "This round has counted with other answers." }, 409);
  }
  // The page sends the same round again: its id makes that safe.
  console.error(error);
  return reply({ error: "The boards cannot be reached just now." }, 503);
}

const { values: options } = parseArgs({
  options: { port: { type: "string", default: "0" }, seconds: { type: "string", default: "20" } },
});
// Several processes of one game need the same secret.
const referee = new Referee(process.env.GAME_SECRET ?? randomBytes(32).toString("hex"), Number(options.seconds));

// Without $REDIS_URL, the boards are in a private server that ends with the game.
const server = process.env.REDIS_URL === undefined ? await startServer() : undefined;
const url = process.env.REDIS_URL ?? server?.url ?? "";
// A lost server is an error at once: no write waits for it without an answer.
const client = createClient({ url, disableOfflineQueue: true });
client.on("error", (error: Error) => { console.error(error.message); });
await client.connect();

const boards = new Boards(new Leaderboard(fromNodeRedis(client)));
await boards.make();
const live = new Live(boards);
const end = new AbortController();
const reading = live.readUntil(end.signal);
const listener = serve(
  { fetch: game(boards, live, referee).fetch, hostname: "127.0.0.1", port: Number(options.port) },
  ({ port }) => { console.log(`game: http://127.0.0.1:${String(port)} with boards in ${url}`); },
);

await new Promise((resolve) => {
  process.once("SIGINT", resolve);
  process.once("SIGTERM", resolve);
});
listener.close();
// Viewers never close: their browsers connect again by themselves.
if ("closeAllConnections" in listener) {
  listener.closeAllConnections();
}
end.abort();
await reading;
await client.close();
await server?.stop();
