// The replies of all commands. Made by clients/generate from docs/commands.json.

import type { Score } from "./values.js";

export interface InfoReply {
  readonly views: string;
  readonly order: string;
  readonly aggregate: string;
  readonly ties: string;
  readonly tz: string;
  readonly weekStart: string;
  readonly clock: string;
  readonly retain: string;
  readonly carry: string;
  readonly decay: string;
  readonly levels: string;
  readonly segments: string;
  readonly hours: string;
  readonly attempts: string;
  readonly bounds: string;
  readonly decimals: number;
  readonly origin: number;
  readonly dedup: number;
  readonly shown: boolean;
  readonly declared: boolean;
  readonly keep: number;
  readonly opens: number;
  readonly closes: number;
  readonly maxMembers: number;
  readonly prizeDays: number;
  readonly payouts: number;
  readonly notifyTop: number;
  readonly members: number;
  readonly hidden: number;
  readonly requests: number;
  readonly now: number;
  readonly memory: number;
  readonly last: number;
  readonly incarnation: bigint;
  readonly revision: bigint;
  readonly request: bigint;
  readonly target: number;
  readonly grown: number;
  readonly token: bigint;
  readonly until: number;
  readonly parts: number;
  readonly part: number | null;
  readonly schema: bigint;
  readonly keys: string[];
  readonly state: string;
  readonly limit: string[];
  readonly prizes: string[];
  readonly writes: number;
  readonly repeated: number;
  readonly votes: number;
  readonly heldBack: Map<string, number>;
  readonly segmentCounts: Map<string, number>;
}

export interface PeriodsRow {
  readonly label: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly members: number;
}

export interface Written {
  readonly score: Score | null;
  readonly rank: number | null;
  readonly applied: boolean;
  readonly oldScore?: Score | null;
  readonly oldRank?: number | null;
  readonly within?: number | null;
}

export interface Position {
  readonly score: Score | null;
  readonly rank: number | null;
  readonly applied: boolean;
}

export interface Row {
  readonly rank: number;
  readonly member: string;
  readonly score: Score;
  readonly meta?: string | null;
}

export interface Place {
  readonly rank: number;
  readonly score: Score;
  readonly meta?: string | null;
}

export interface StandingAhead {
  readonly member: string;
  readonly score: Score;
  readonly gap: Score;
}

export interface StandingPrevious {
  readonly rank: number;
  readonly score: Score;
}

export interface StandingReply {
  readonly rank: number;
  readonly score: Score;
  readonly members: number;
  readonly percentile: string;
  readonly ahead: StandingAhead | null;
  readonly behind: StandingAhead | null;
  readonly previous: StandingPrevious | null;
  readonly change: number | null;
  readonly at: number | null;
  readonly meta?: string | null;
}

export interface HistoryRow {
  readonly label: string;
  readonly start: number | null;
  readonly rank: number | null;
  readonly score: Score | null;
  readonly members: number;
}

export interface FindMember {
  readonly member: string;
  readonly score: Score | null;
  readonly rank: number | null;
  readonly meta?: string | null;
}

export interface FindReply {
  readonly cursor: string;
  readonly members: FindMember[];
}

export interface AmongRow {
  readonly place: number;
  readonly member: string;
  readonly score: Score;
  readonly rank: number;
  readonly meta?: string | null;
}

export interface StatsReply {
  readonly members: number;
  readonly sum: Score | null;
  readonly mean: string | null;
  readonly min: Score | null;
  readonly max: Score | null;
  readonly median: Score | null;
}

export interface HistogramRow {
  readonly from: Score;
  readonly to: Score;
  readonly members: number;
}

export interface SegmentsRow {
  readonly rank: number;
  readonly value: string;
  readonly score: Score;
  readonly members: number;
}

export interface SegmentRankReply {
  readonly rank: number;
  readonly score: Score;
  readonly members: number;
}

export interface PartsRow {
  readonly part: number;
  readonly key: string;
  readonly slot: number;
  readonly node: string | null;
  readonly incarnation: bigint | null;
  readonly revision: bigint | null;
  readonly members: number | null;
  readonly memory: number | null;
  readonly idle: number | null;
  readonly problem: string | null;
}

export interface ReshardReply {
  readonly parts: number;
  readonly wanted: number;
}

export interface ImportReply {
  readonly cursor: string;
  readonly imported: number;
}

export interface Vote {
  readonly accepted: boolean;
  readonly positions?: Position[];
  readonly rule?: string;
  readonly retryAfter?: number;
}

export interface QuotaRow {
  readonly rule: string;
  readonly used: number;
  readonly max: number;
  readonly retryAfter: number;
}

export interface OptionsOption {
  readonly member: string;
  readonly weight: number;
  readonly initial: Score;
  readonly meta: string | null;
  readonly real: Score;
  readonly shown: Score;
  readonly voters: number;
}

export interface OptionsReply {
  readonly cursor: string;
  readonly options: OptionsOption[];
}

export interface PrizesWinner {
  readonly rank: number;
  readonly member: string;
  readonly score: Score;
  readonly prize: string;
  readonly claimed: number | null;
  readonly value?: string;
}

export interface PrizesReply {
  readonly cursor: string;
  readonly winners: PrizesWinner[];
}

export interface ClaimReply {
  readonly prize: string;
  readonly rank: number;
  readonly claimed: boolean;
  readonly value?: string;
}

export interface LeagueJoinLast {
  readonly period: string;
  readonly tier: string;
  readonly group: number;
  readonly rank: number;
  readonly members: number;
  readonly score: Score;
  readonly outcome: string;
  readonly reward: number;
}

export interface LeagueJoinReply {
  readonly tier: string | null;
  readonly group: number | null;
  readonly rank: number | null;
  readonly members: number | null;
  readonly joined: boolean;
  readonly waiting: boolean;
  readonly last: LeagueJoinLast | null;
}

export interface LeagueTopRow {
  readonly rank: number;
  readonly member: string;
  readonly score: Score;
  readonly meta: string | null;
  readonly zone?: string;
}

export interface LeagueStandingReply {
  readonly tier: string;
  readonly group: number;
  readonly rank: number;
  readonly members: number;
  readonly score: Score;
  readonly zone: string;
}

export interface LeagueInfoReply {
  readonly tiers: string;
  readonly promote: string;
  readonly demote: string;
  readonly cycle: string;
  readonly ties: string;
  readonly joinUntil: string;
  readonly tz: string;
  readonly weekStart: string;
  readonly clock: string;
  readonly period: string;
  readonly group: number;
  readonly reward: number;
  readonly idle: number;
  readonly retain: number;
  readonly decimals: number;
  readonly origin: number;
  readonly dedup: number;
  readonly start: number;
  readonly end: number;
  readonly known: number;
  readonly requests: number;
  readonly now: number;
  readonly memory: number;
  readonly prizeDays: number;
  readonly members: number[];
  readonly groups: number[];
  readonly prizes: string[];
}

export interface LeaguePrizesWinner {
  readonly tier: string;
  readonly group: number;
  readonly rank: number;
  readonly member: string;
  readonly score: Score;
  readonly prize: string;
  readonly claimed: number | null;
}

export interface LeaguePrizesReply {
  readonly cursor: string;
  readonly winners: LeaguePrizesWinner[];
}

export interface LeagueClaimReply {
  readonly prize: string;
  readonly rank: number;
  readonly claimed: boolean;
}

export interface CounterGetRow {
  readonly start: number;
  readonly count: bigint;
}

export interface CounterInfoReply {
  readonly precisions: string;
  readonly clock: string;
  readonly samples: number;
  readonly dedup: number;
  readonly total: bigint;
  readonly requests: number;
  readonly now: number;
  readonly memory: number;
}
