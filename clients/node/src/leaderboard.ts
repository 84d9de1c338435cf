// Sends requests.

import { setTimeout as sleep } from "node:timers/promises";

import { BoardCommands, CounterCommands, LeagueCommands } from "./commands.js";
import { typed } from "./errors.js";
import type { Request } from "./request.js";
import { Retries } from "./retries.js";
import type { Sender } from "./sender.js";

/** The replies of these requests, or their errors. */
export type Replies<T extends readonly Request<unknown>[]> = {
  -readonly [N in keyof T]: (T[N] extends Request<infer R> ? R : never) | Error;
};

export interface LeaderboardOptions {
  /**
   * How often a request is sent again: if no answer came, and it is a read or has a request id; or if a
   * gateway or a server was too busy for it. The default is 3.
   */
  readonly retries?: number | undefined;
}

class League extends LeagueCommands {
  readonly #leaderboard: Leaderboard;

  constructor(leaderboard: Leaderboard) {
    super();
    this.#leaderboard = leaderboard;
  }

  override execute<R>(request: Request<R>): Promise<R> {
    return this.#leaderboard.execute(request);
  }
}

class Counter extends CounterCommands {
  readonly #leaderboard: Leaderboard;

  constructor(leaderboard: Leaderboard) {
    super();
    this.#leaderboard = leaderboard;
  }

  override execute<R>(request: Request<R>): Promise<R> {
    return this.#leaderboard.execute(request);
  }
}

/** Boards, leagues and counters of a server, a cluster or a gateway. */
export class Leaderboard extends BoardCommands {
  /** The commands of leagues. */
  readonly league: LeagueCommands = new League(this);
  /** The commands of counters. */
  readonly counter: CounterCommands = new Counter(this);
  readonly #sender: Sender;
  readonly #retries: number;

  constructor(sender: Sender, options: LeaderboardOptions = {}) {
    super();
    this.#sender = sender;
    this.#retries = options.retries ?? 3;
  }

  override async execute<R>(request: Request<R>): Promise<R> {
    const retries = new Retries(this.#retries);
    for (;;) {
      const [reply] = await this.#sender.send([request]);
      const result = read(request, reply);
      if (result.status === "fulfilled") {
        return result.value;
      }
      const wait = retries.next(result.reason, request.isRepeatable);
      if (wait === undefined) {
        throw result.reason;
      }
      await sleep(wait);
    }
  }

  /**
   * Sends requests in one pipeline. Returns the reply of each, or its error. None is sent again; those
   * without an answer can be if they are `isRepeatable`.
   */
  async executeMany<const T extends readonly Request<unknown>[]>(requests: T): Promise<Replies<T>> {
    const replies = await this.#sender.send(requests);
    const results = requests.map((request, at) => {
      const result = read(request, replies[at]);
      return result.status === "fulfilled" ? result.value : result.reason;
    });
    return results as Replies<T>;
  }
}

type Result<R> = PromiseFulfilledResult<R> | { readonly status: "rejected"; readonly reason: Error };

function read<R>(request: Request<R>, reply: PromiseSettledResult<unknown> | undefined): Result<R> {
  try {
    if (reply?.status === "fulfilled") {
      return { status: "fulfilled", value: request.decode(reply.value) };
    }
    return { status: "rejected", reason: typed(reply?.reason ?? new Error("no reply")) };
  } catch (error) {
    return { status: "rejected", reason: typed(error) };
  }
}
