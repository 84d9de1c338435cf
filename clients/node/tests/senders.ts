// A sender that replies what a test says.

import type { Request, Sender } from "leaderboard-client";

type Words = readonly (string | Buffer)[];

/** Gives these replies in their order, and notes what it is sent. An `Error` is an error. */
export class Scripted implements Sender {
  readonly sent: Words[] = [];
  readonly #replies: unknown[];

  constructor(...replies: readonly unknown[]) {
    this.#replies = [...replies];
  }

  send(requests: readonly Request<unknown>[]): Promise<readonly PromiseSettledResult<unknown>[]> {
    return Promise.resolve(requests.map(({ words }) => this.#next(words)));
  }

  #next(words: Words): PromiseSettledResult<unknown> {
    this.sent.push(words);
    const reply = this.#replies.shift();
    const isError = reply instanceof Error;
    return isError ? { status: "rejected", reason: reply } : { status: "fulfilled", value: reply };
  }
}
