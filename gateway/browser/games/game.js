// The game as a program, and a player that needs no page.
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { start, stop } from "../stage/process.js";

const SCRIPT = fileURLToPath(new URL("../../../scripts/games.sh", import.meta.url));
// Long enough for two answers of a person.
export const SECONDS = 1.2;

export class Game {
  constructor(language) {
    this.language = language;
  }

  async start() {
    const words = [this.language, "--seconds", String(SECONDS)];
    const found = await start(SCRIPT, words, /(http:\/\/\S+) with boards in redis:\/\/127\.0\.0\.1:(\d+)\n/);
    [this.process, [, this.address, this.redis]] = found;
  }

  /** Ends it as Ctrl-C does. */
  stop() {
    return stop(this.process, "SIGINT");
  }

  async post(path, body) {
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(this.address + path, { method: "POST", headers: { "content-type": "application/json" }, body: sent });
    return { status: answer.status, ...(await answer.json()) };
  }

  begin(player, country) {
    return this.post("/rounds", { player, country });
  }

  finish({ token }, answers) {
    return this.post("/results", { token, answers });
  }

  /** Begins a round, waits until it is over, and sends as many right answers. */
  async play(player, country, right = 2) {
    const begun = await this.begin(player, country);
    await sleep(SECONDS * 1000);
    return this.finish(begun, solve(begun, right));
  }
}

/** The right answers to the first sums of a round. */
export function solve({ sums }, count = 2) {
  return sums.slice(0, count).map(([left, right]) => left + right);
}
