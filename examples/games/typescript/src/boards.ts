// The board and the league of the game. All commands that the game sends are here.

import { requests, type Leaderboard } from "leaderboard-client";

import type { Round } from "./rounds.js";

// One key each: a board holds all its weeks and countries, a league all its tiers and groups.
const BOARD = "game:board";
const LEAGUE = "game:league";
// The week ends at midnight from Sunday to Monday in this zone, for all players.
const ZONE = "Europe/Berlin";
const ROWS = 10;

/** The game's board and league on one server. */
export class Boards {
  constructor(private readonly lb: Leaderboard) {}

  /** Makes the board and the league, if they are not there. */
  async make(): Promise<void> {
    await this.lb.create(BOARD, {
      // The first view is the default: all reads and replies below are of this week.
      views: "week,all",
      tz: ZONE,
      retain: "week=4",
      // A country ranks by the sum of its players' scores.
      segments: "country:SUM",
      nx: true,
    });
    if ((await this.lb.league.info(LEAGUE)) === null) {
      await this.lb.league.create(LEAGUE, {
        tiers: "bronze,silver,gold",
        promote: "5,5,0",
        demote: "0,5,5",
        cycle: "week",
        tz: ZONE,
        group: "30",
        retain: 4,
      });
    }
  }

  /** Lets a player join this week's league. Returns the result of its last week, once. */
  async enter(player: string) {
    // Points alone would join the player, too, but only a join tells what came of the week before.
    return (await this.lb.league.join(LEAGUE, player)).last;
  }

  /** Counts a round on the board and in the league. Returns where its player stands. */
  async count({ id, player, country }: Round, points: number) {
    // The round's id is the id of the request, so a round counts once, however often its answers arrive.
    // One write gives the score, the rank in the world and the rank in the country.
    const place = await this.lb.add(BOARD, points, player, { id, segment: { country }, within: "country" });
    // This is a second key, so it is a second step. If it fails, the page sends the round again: the board
    // ignores the repeat, and the league gets what it has not got.
    await this.lb.league.add(LEAGUE, points, player, { id });
    const league = await this.lb.league.standing(LEAGUE, player);
    return { points, counted: place.applied, score: place.score, world: place.rank, country: place.within, league };
  }

  /** Reads what viewers see, as JSON for each country, in one round trip for all of them. */
  async pages(countries: readonly string[]): Promise<Map<string, string>> {
    if (countries.length === 0) {
      return new Map();
    }
    const replies = await this.lb.executeMany([
      requests.top(BOARD, ROWS),
      requests.segments(BOARD, "country", { count: ROWS }),
      ...countries.map((country) => requests.top(BOARD, ROWS, { in: ["country", country] })),
    ]);
    const [world, ranked, ...tops] = replies.map((reply) => {
      if (reply instanceof Error) {
        throw reply;
      }
      return reply;
    });
    return new Map(countries.map((country, at) => [country, json({ world, countries: ranked, country: tops[at] })]));
  }
}

/** Scores are exact, so the client gives a `bigint`. Those of this game fit into a number. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? Number(part) : part));
}
