// How often a request is sent again, and after which time.

import { Busy, LeaderboardError, UnexpectedReply, Unknown } from "./errors.js";

/** The request was not carried out, and can be later. */
const REFUSED = new Set(["BUSY", "LOADING", "TRYAGAIN"]);
const FIRST_WAIT = 20;
const LONGEST_WAIT = 1000;

export class Retries {
  #left: number;
  #wait = FIRST_WAIT;

  constructor(retries: number) {
    this.#left = retries;
  }

  /** Returns the milliseconds to wait; `undefined` if the request must not be sent again. */
  next(error: Error, isRepeatable: boolean): number | undefined {
    if (this.#left <= 0 || !(isRefused(error) || (isRepeatable && isUnanswered(error)))) {
      return undefined;
    }
    this.#left -= 1;
    // Clients that failed at the same time come back at different times.
    const wait = this.#wait * (0.5 + Math.random() / 2);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    const asked = error instanceof Busy ? error.retryAfter : null;
    return Math.max(wait, asked ?? 0);
  }
}

function isRefused(error: Error): boolean {
  return error instanceof LeaderboardError && REFUSED.has(error.code);
}

/** Whether the request may have been carried out: no answer came, or a gateway had none of its server. */
function isUnanswered(error: Error): boolean {
  const isOfProgram = error instanceof TypeError || error instanceof UnexpectedReply;
  return error instanceof Unknown || !(error instanceof LeaderboardError || isOfProgram);
}
