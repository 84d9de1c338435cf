// The demo's data: a month of real flights, and made-up votes for songs.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { requests, type Leaderboard, type Limit, type Request } from "leaderboard-client";

import { FLIGHTS } from "./files.js";

export const BOARD = "flights:miles";
const SONGS = ["Harbour Lights", "Paper Boats", "Northern Rain", "Slow Train Home", "Late Summer"] as const;
const VOTES = 300;
const VOTERS = 99;
const AT_ONCE = 1_000;

/** Fills the boards of the demo, if they are not there. */
export async function fill(lb: Leaderboard): Promise<void> {
  const made = await lb.create(BOARD, {
    views: "all,day,week,day:7",
    clock: "EVENT",
    tz: "America/New_York",
    retain: "7",
    dedup: 3600,
    segments: "carrier:SUM,origin:SUM",
    nx: true,
  });
  if (made) {
    await send(lb, flights());
  }
  const perMinute: Limit = { rule: "perminute", scope: "voter", max: 50, unit: "minute" };
  if (await lb.create("songs", { views: "all,hour,day", shown: true, limit: [perMinute], nx: true })) {
    await send(lb, votes());
  }
}

async function send(lb: Leaderboard, all: readonly Request<unknown>[]): Promise<void> {
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const replies = await lb.executeMany(all.slice(at, at + AT_ONCE));
    const failed = replies.find((reply) => reply instanceof Error);
    if (failed !== undefined) {
      throw failed;
    }
  }
}

function flights(): Request<unknown>[] {
  const lines = gunzipSync(readFileSync(FLIGHTS)).toString().trimEnd().split("\n");
  return lines.slice(1).map(flight);
}

/** Reads a line of `at_ms,request,aircraft,carrier,dest,miles`. The request ends with the origin. */
function flight(line: string): Request<unknown> {
  const [at = "", request = "", aircraft = "", carrier = "", , miles = ""] = line.split(",");
  const origin = request.slice(request.lastIndexOf("-") + 1);
  return requests.add(BOARD, miles, aircraft, { id: request, at: Number(at), segment: { carrier, origin } });
}

function votes(): Request<unknown>[] {
  return Array.from({ length: VOTES }, () => {
    const song = SONGS[below(SONGS.length)] ?? SONGS[0];
    return requests.vote("songs", 1 + below(3), song, { by: `user:${String(below(VOTERS))}` });
  });
}

function below(bound: number): number {
  return Math.floor(Math.random() * bound);
}
