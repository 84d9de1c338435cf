// A client for the leaderboard module, on top of node-redis or ioredis.

export * as errors from "./errors.js";
export * as requests from "./requests.js";
export { LeaderboardError, UnexpectedReply } from "./errors.js";
export { Leaderboard, type LeaderboardOptions, type Replies } from "./leaderboard.js";
export { Request } from "./request.js";
export type { CounterCommands, LeagueCommands } from "./commands.js";
export type * from "./options.js";
export type * from "./replies.js";
export type { Limit, Part, Prizes } from "./rules.js";
export type { Sender } from "./sender.js";
export type * from "./values.js";
