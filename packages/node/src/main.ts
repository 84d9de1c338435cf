#!/usr/bin/env node
// `leaderboard-server`: a server with the module, the console, and the demo's data, until Ctrl-C.

import { parseArgs } from "node:util";

import { BOARD, fill } from "./demo.js";
import { ServerError, startServer, type Server } from "./server.js";

const USAGE = `usage: leaderboard-server [options]

A server with the module, the console, and the demo's data, until Ctrl-C.

  --port PORT      the port for Redis clients (a free one)
  --http PORT      the port of the console (a free one)
  --no-console     start the server alone
  --no-demo        begin without data
  --dir DIRECTORY  keep the data in this directory (else it is lost)
  --server PATH    the redis-server or valkey-server to run
`;

/** Reads the command line. Wrong words are a TypeError. */
function options() {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      http: { type: "string", default: "0" },
      "no-console": { type: "boolean", default: false },
      "no-demo": { type: "boolean", default: false },
      dir: { type: "string" },
      server: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  return { ...values, port: port(values.port), http: port(values.http) };
}

function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535) {
    throw new TypeError(`${text} is no port`);
  }
  return number;
}

async function showDemo(server: Server): Promise<void> {
  const lb = server.client();
  await fill(lb);
  console.log(`> LB.TOP ${BOARD} 5        redis-cli -p ${String(server.port)} LB.TOP ${BOARD} 5`);
  for (const { rank, member, score } of await lb.top(BOARD, 5)) {
    console.log(`${String(rank).padStart(3)} ${member.padEnd(8)} ${String(score).padStart(8)}`);
  }
}

/** Is there when this program is asked to end, with its status. npx sends each signal twice. */
function askedToEnd(): Promise<number> {
  return new Promise((resolve) => {
    process.on("SIGINT", () => { resolve(130); });
    process.on("SIGTERM", () => { resolve(143); });
  });
}

async function serve(server: Server, withDemo: boolean): Promise<void> {
  console.log(`leaderboard-server: ${server.url} (${server.version})`);
  if (server.console !== undefined) {
    console.log(`leaderboard-server: console ${server.console}`);
  }
  if (withDemo) {
    await showDemo(server);
  }
  console.log(`leaderboard-server: ready after ${(performance.now() / 1_000).toFixed(1)} s; Ctrl-C ends it`);
  await server.wait();
}

async function run(given: ReturnType<typeof options>): Promise<number> {
  const asked = askedToEnd();
  await using server = await startServer({
    port: given.port,
    http: given["no-console"] ? undefined : given.http,
    directory: given.dir,
    program: given.server,
  });
  const status = await Promise.race([asked, serve(server, !given["no-demo"])]);
  return status ?? fail("a program ended by itself", 1);
}

function fail(message: string, status: number): number {
  console.error(`leaderboard-server: ${message}`);
  return status;
}

async function main(): Promise<number> {
  let given;
  try {
    given = options();
  } catch (error) {
    return fail((error as TypeError).message, 2);
  }
  if (given.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    return await run(given);
  } catch (error) {
    if (error instanceof ServerError) {
      return fail(error.message, 1);
    }
    throw error;
  }
}

void main().then((status) => {
  process.exitCode = status;
});
