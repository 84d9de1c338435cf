// The rules of the game: rounds, their seals and their points.

import { randomInt, randomUUID } from "node:crypto";

import { sign, verify } from "hono/jwt";
import { z } from "zod";

const RIGHT = 10;
const WRONG = -5;
/** The seconds that a person needs for one answer, at the least. */
const FASTEST = 0.5;
/** The seconds after the end of a round in which its answers can arrive, repeats among them. */
const GRACE = 5;
const SEAL = "HS256";

export const Country = z.string().regex(/^[A-Z]{2}$/);

/** Who plays. A real game takes the player from its login, so that nobody plays as somebody else. */
export const Entry = z.object({ player: z.string().trim().regex(/^[^\x00-\x1f]{1,20}$/u), country: Country });
export type Entry = z.infer<typeof Entry>;

/** One round. `began` is in milliseconds. */
const Round = Entry.extend({
  id: z.uuid(),
  began: z.int(),
  sums: z.array(z.tuple([z.int(), z.int()])),
});
export type Round = z.infer<typeof Round>;

/** What the page sends at the end of a round. */
export const Answers = z.object({ token: z.string(), answers: z.array(z.int()) });
export type Answers = z.infer<typeof Answers>;

/** A round that does not count. */
export class Refused extends Error {
  constructor(
    readonly status: 403 | 410 | 422,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Begins rounds and judges them. The page only shows sums: the points are given here.
 *
 * A round travels to the page and back as a sealed token. So no program has to remember it, and any process
 * with the same secret can judge it.
 */
export class Referee {
  constructor(
    private readonly secret: string,
    readonly seconds: number,
  ) {}

  /** Returns a new round and its token. It has more sums than anybody can solve. */
  async begin(entry: Entry): Promise<{ round: Round; token: string }> {
    const most = Math.floor(this.seconds / FASTEST) + 1;
    const sums = Array.from({ length: most }, (): [number, number] => [randomInt(2, 31), randomInt(2, 31)]);
    const round = { ...entry, id: randomUUID(), began: Date.now(), sums };
    return { round, token: await sign(round, this.secret, SEAL) };
  }

  /**
   * Returns the round and its points.
   *
   * @throws {Refused} The token is forged, or the answers come too late or too fast.
   */
  async judge({ token, answers }: Answers): Promise<{ round: Round; points: number }> {
    const round = await this.#open(token);
    const took = (Date.now() - round.began) / 1000;
    if (took > this.seconds + GRACE) {
      throw new Refused(410, "These answers come too late: the round is over.");
    }
    if (took < FASTEST * answers.length) {
      throw new Refused(422, "Nobody answers as fast as that.");
    }
    const marks = round.sums
      .slice(0, answers.length)
      .map(([left, right], at) => (left + right === answers[at] ? RIGHT : WRONG));
    return { round, points: Math.max(0, marks.reduce((sum, mark) => sum + mark, 0)) };
  }

  async #open(token: string): Promise<Round> {
    try {
      return Round.parse(await verify(token, this.secret, SEAL));
    } catch {
      throw new Refused(403, "This round was not begun here.");
    }
  }
}
