// The options of all commands. Made by clients/generate from docs/commands.json.

import type { Limit, Part, Prizes } from "./rules.js";
import type { Integer, Key, Numeric, Pairs, RequestId, Text, Time } from "./values.js";

/** Options of LB.CREATE. */
export interface CreateOptions {
  readonly views?: Text | undefined;
  readonly order?: "DESC" | "ASC" | undefined;
  readonly aggregate?: "SUM" | "MAX" | "MIN" | "LAST" | undefined;
  readonly ties?: "FIRST" | "LAST" | "LEX" | "REVLEX" | undefined;
  readonly decimals?: Integer | undefined;
  readonly levels?: Text | undefined;
  readonly tz?: Text | undefined;
  readonly weekStart?: "MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN" | undefined;
  readonly origin?: Time | undefined;
  readonly clock?: "SERVER" | "EVENT" | undefined;
  readonly retain?: Text | undefined;
  readonly carry?: Text | undefined;
  readonly decay?: Text | undefined;
  readonly dedup?: Integer | undefined;
  readonly shown?: boolean | undefined;
  readonly declared?: boolean | undefined;
  readonly opens?: Time | undefined;
  readonly closes?: Time | undefined;
  readonly hours?: Text | undefined;
  readonly attempts?: readonly [Integer, Text] | undefined;
  readonly maxMembers?: Integer | undefined;
  readonly bounds?: readonly [Numeric, Numeric] | undefined;
  readonly prizes?: readonly Prizes[] | undefined;
  readonly prizeDays?: Integer | undefined;
  readonly limit?: readonly Limit[] | undefined;
  readonly keep?: Integer | undefined;
  readonly notifyTop?: Integer | undefined;
  readonly segments?: Text | undefined;
  readonly part?: Part | undefined;
  readonly parts?: Integer | undefined;
  readonly like?: Key | undefined;
  readonly nx?: boolean | undefined;
}

/** Options of LB.ALTER. */
export interface AlterOptions {
  readonly views?: Text | undefined;
  readonly retain?: Text | undefined;
  readonly carry?: Text | undefined;
  readonly decay?: Text | undefined;
  readonly dedup?: Integer | undefined;
  readonly declared?: boolean | undefined;
  readonly opens?: Time | undefined;
  readonly closes?: Time | undefined;
  readonly hours?: Text | undefined;
  readonly attempts?: readonly [Integer, Text] | undefined;
  readonly maxMembers?: Integer | undefined;
  readonly bounds?: readonly [Numeric, Numeric] | undefined;
  readonly prizes?: readonly Prizes[] | undefined;
  readonly prizeDays?: Integer | undefined;
  readonly limit?: readonly Limit[] | undefined;
  readonly unlimit?: readonly Text[] | undefined;
  readonly keep?: Integer | undefined;
  readonly notifyTop?: Integer | undefined;
  readonly segments?: Text | undefined;
  readonly now?: Time | undefined;
}

/** Options of LB.ADD. */
export interface AddOptions {
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
  readonly view?: Text | undefined;
  readonly meta?: Text | undefined;
  readonly segment?: Pairs | undefined;
  readonly within?: Text | undefined;
  readonly withChange?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** Options of LB.ADD. */
export interface AddQuietOptions {
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
  readonly view?: Text | undefined;
  readonly meta?: Text | undefined;
  readonly segment?: Pairs | undefined;
  readonly force?: boolean | undefined;
}

/** Options of LB.ROLLADD. */
export interface RollAddOptions {
  readonly window?: readonly [Integer, Text] | undefined;
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
  readonly segment?: Pairs | undefined;
  readonly within?: Text | undefined;
  readonly withChange?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** Options of LB.ROLLADD. */
export interface RollAddQuietOptions {
  readonly window?: readonly [Integer, Text] | undefined;
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
  readonly segment?: Pairs | undefined;
  readonly force?: boolean | undefined;
}

/** Options of LB.MADD. */
export interface MAddOptions {
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
  readonly view?: Text | undefined;
  readonly segment?: Pairs | undefined;
  readonly force?: boolean | undefined;
}

/** Options of LB.MADD. */
export interface MAddQuietOptions {
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
  readonly view?: Text | undefined;
  readonly segment?: Pairs | undefined;
  readonly force?: boolean | undefined;
}

/** Options of LB.SET. */
export interface SetOptions {
  readonly nx?: boolean | undefined;
  readonly xx?: boolean | undefined;
  readonly gt?: boolean | undefined;
  readonly lt?: boolean | undefined;
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
  readonly view?: Text | undefined;
  readonly meta?: Text | undefined;
  readonly segment?: Pairs | undefined;
  readonly within?: Text | undefined;
  readonly withChange?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** Options of LB.SET. */
export interface SetQuietOptions {
  readonly nx?: boolean | undefined;
  readonly xx?: boolean | undefined;
  readonly gt?: boolean | undefined;
  readonly lt?: boolean | undefined;
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
  readonly view?: Text | undefined;
  readonly meta?: Text | undefined;
  readonly segment?: Pairs | undefined;
  readonly force?: boolean | undefined;
}

/** Options of LB.MSET. */
export interface MSetOptions {
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
  readonly view?: Text | undefined;
  readonly segment?: Pairs | undefined;
  readonly force?: boolean | undefined;
}

/** Options of LB.MSET. */
export interface MSetQuietOptions {
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
  readonly view?: Text | undefined;
  readonly segment?: Pairs | undefined;
  readonly force?: boolean | undefined;
}

/** Options of LB.TOP. */
export interface TopOptions {
  readonly offset?: Integer | undefined;
  readonly withMeta?: boolean | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly ranks?: "ORDINAL" | "COMPETITION" | "DENSE" | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.RANGE. */
export interface RangeOptions {
  readonly withMeta?: boolean | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly ranks?: "ORDINAL" | "COMPETITION" | "DENSE" | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.RANGEBYSCORE. */
export interface RangeByScoreOptions {
  readonly offset?: Integer | undefined;
  readonly count?: Integer | undefined;
  readonly withMeta?: boolean | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly ranks?: "ORDINAL" | "COMPETITION" | "DENSE" | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.AROUND. */
export interface AroundOptions {
  readonly count?: Integer | undefined;
  readonly above?: Integer | undefined;
  readonly below?: Integer | undefined;
  readonly fill?: boolean | undefined;
  readonly withMeta?: boolean | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly within?: Text | undefined;
  readonly ranks?: "ORDINAL" | "COMPETITION" | "DENSE" | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.RANK. */
export interface RankOptions {
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly within?: Text | undefined;
  readonly ranks?: "ORDINAL" | "COMPETITION" | "DENSE" | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.SCORE. */
export interface ScoreOptions {
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly within?: Text | undefined;
  readonly real?: boolean | undefined;
}

/** Options of LB.MSCORE. */
export interface MScoreOptions {
  readonly withMeta?: boolean | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly ranks?: "ORDINAL" | "COMPETITION" | "DENSE" | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.STANDING. */
export interface StandingOptions {
  readonly withMeta?: boolean | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly within?: Text | undefined;
  readonly ranks?: "ORDINAL" | "COMPETITION" | "DENSE" | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.HISTORY. */
export interface HistoryOptions {
  readonly count?: Integer | undefined;
  readonly view?: Text | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly within?: Text | undefined;
  readonly ranks?: "ORDINAL" | "COMPETITION" | "DENSE" | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.FIND. */
export interface FindOptions {
  readonly count?: Integer | undefined;
  readonly withMeta?: boolean | undefined;
}

/** Options of LB.MSTANDING. */
export interface MStandingOptions {
  readonly withMeta?: boolean | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly ranks?: "ORDINAL" | "COMPETITION" | "DENSE" | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.COUNT. */
export interface CountOptions {
  readonly minMax?: readonly [Numeric, Numeric] | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly real?: boolean | undefined;
}

/** Options of LB.AMONG. */
export interface AmongOptions {
  readonly withMeta?: boolean | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly ranks?: "ORDINAL" | "COMPETITION" | "DENSE" | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.STATS. */
export interface StatsOptions {
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly real?: boolean | undefined;
}

/** Options of LB.QUANTILE. */
export interface QuantileOptions {
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly real?: boolean | undefined;
}

/** Options of LB.HISTOGRAM. */
export interface HistogramOptions {
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly real?: boolean | undefined;
}

/** Options of LB.GETSEGMENT. */
export interface GetSegmentOptions {
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.SEGMENTS. */
export interface SegmentsOptions {
  readonly count?: Integer | undefined;
  readonly offset?: Integer | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.SEGMENTRANK. */
export interface SegmentRankOptions {
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.REPAIR. */
export interface RepairOptions {
  readonly force?: boolean | undefined;
}

/** Options of LB.IMPORT. */
export interface ImportOptions {
  readonly merge?: boolean | undefined;
  readonly nx?: boolean | undefined;
  readonly round?: boolean | undefined;
  readonly at?: Time | undefined;
  readonly cursor?: Text | undefined;
  readonly count?: Integer | undefined;
}

/** Options of LB.EXPORT. */
export interface ExportOptions {
  readonly count?: Integer | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly in?: readonly [Text, Text] | undefined;
  readonly real?: boolean | undefined;
  readonly rev?: boolean | undefined;
}

/** Options of LB.UNION. */
export interface UnionOptions {
  readonly weights?: readonly Numeric[] | undefined;
  readonly aggregate?: "SUM" | "MIN" | "MAX" | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly real?: boolean | undefined;
}

/** Options of LB.INTER. */
export interface InterOptions {
  readonly weights?: readonly Numeric[] | undefined;
  readonly aggregate?: "SUM" | "MIN" | "MAX" | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly real?: boolean | undefined;
}

/** Options of LB.VOTE. */
export interface VoteOptions {
  readonly by?: Text | undefined;
  readonly tag?: Pairs | undefined;
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.VOTE. */
export interface VoteQuietOptions {
  readonly by?: Text | undefined;
  readonly tag?: Pairs | undefined;
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.MVOTE. */
export interface MVoteOptions {
  readonly by?: Text | undefined;
  readonly tag?: Pairs | undefined;
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.MVOTE. */
export interface MVoteQuietOptions {
  readonly by?: Text | undefined;
  readonly tag?: Pairs | undefined;
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.QUOTA. */
export interface QuotaOptions {
  readonly by?: Text | undefined;
  readonly member?: Text | undefined;
  readonly tag?: Pairs | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.OPTION. */
export interface OptionOptions {
  readonly weight?: Integer | undefined;
  readonly initial?: Integer | undefined;
  readonly meta?: Text | undefined;
  readonly segment?: Pairs | undefined;
}

/** Options of LB.JOIN. */
export interface JoinOptions {
  readonly meta?: Text | undefined;
  readonly segment?: Pairs | undefined;
  readonly id?: RequestId | undefined;
}

/** Options of LB.OPTIONS. */
export interface OptionsOptions {
  readonly count?: Integer | undefined;
}

/** Options of LB.VOTERS. */
export interface VotersOptions {
  readonly member?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly view?: Text | undefined;
}

/** Options of LB.PRIZES. */
export interface PrizesOptions {
  readonly count?: Integer | undefined;
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly per?: Text | undefined;
  readonly unclaimed?: boolean | undefined;
}

/** Options of LB.SETTLE. */
export interface SettleOptions {
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly per?: Text | undefined;
}

/** Options of LB.CLAIM. */
export interface ClaimOptions {
  readonly view?: Text | undefined;
  readonly period?: Text | undefined;
  readonly at?: Time | undefined;
  readonly per?: Text | undefined;
  readonly id?: RequestId | undefined;
}

/** Options of LB.LEAGUE.CREATE. */
export interface LeagueCreateOptions {
  readonly tiers: Text;
  readonly promote: Text;
  readonly demote: Text;
  readonly cycle: Text;
  readonly ties?: "SCORED" | "JOINED" | undefined;
  readonly group?: Text | undefined;
  readonly reward?: Integer | undefined;
  readonly joinUntil?: Text | undefined;
  readonly idle?: Integer | undefined;
  readonly retain?: Integer | undefined;
  readonly decimals?: Integer | undefined;
  readonly tz?: Text | undefined;
  readonly weekStart?: "MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN" | undefined;
  readonly origin?: Time | undefined;
  readonly clock?: "SERVER" | "EVENT" | undefined;
  readonly dedup?: Integer | undefined;
  readonly prizes?: Pairs | undefined;
  readonly prizeDays?: Integer | undefined;
  readonly nx?: boolean | undefined;
}

/** Options of LB.LEAGUE.JOIN. */
export interface LeagueJoinOptions {
  readonly meta?: Text | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.LEAGUE.ADD. */
export interface LeagueAddOptions {
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.LEAGUE.ADD. */
export interface LeagueAddQuietOptions {
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.LEAGUE.TOP. */
export interface LeagueTopOptions {
  readonly count?: Integer | undefined;
  readonly period?: Text | undefined;
  readonly withZone?: boolean | undefined;
}

/** Options of LB.LEAGUE.GROUP. */
export interface LeagueGroupOptions {
  readonly count?: Integer | undefined;
  readonly period?: Text | undefined;
  readonly withZone?: boolean | undefined;
}

/** Options of LB.LEAGUE.STANDING. */
export interface LeagueStandingOptions {
  readonly period?: Text | undefined;
}

/** Options of LB.LEAGUE.INFO. */
export interface LeagueInfoOptions {
  readonly period?: Text | undefined;
}

/** Options of LB.LEAGUE.ALTER. */
export interface LeagueAlterOptions {
  readonly promote?: Text | undefined;
  readonly demote?: Text | undefined;
  readonly group?: Text | undefined;
  readonly reward?: Integer | undefined;
  readonly joinUntil?: Text | undefined;
  readonly idle?: Integer | undefined;
  readonly retain?: Integer | undefined;
  readonly dedup?: Integer | undefined;
  readonly prizes?: Pairs | undefined;
  readonly prizeDays?: Integer | undefined;
}

/** Options of LB.LEAGUE.PRIZES. */
export interface LeaguePrizesOptions {
  readonly count?: Integer | undefined;
  readonly period?: Text | undefined;
  readonly unclaimed?: boolean | undefined;
}

/** Options of LB.LEAGUE.CLAIM. */
export interface LeagueClaimOptions {
  readonly period?: Text | undefined;
  readonly id?: RequestId | undefined;
}

/** Options of LB.COUNTER.CREATE. */
export interface CounterCreateOptions {
  readonly precisions?: Text | undefined;
  readonly samples?: Integer | undefined;
  readonly clock?: "SERVER" | "EVENT" | undefined;
  readonly dedup?: Integer | undefined;
  readonly nx?: boolean | undefined;
}

/** Options of LB.COUNTER.INCR. */
export interface CounterIncrOptions {
  readonly by?: Integer | undefined;
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.COUNTER.INCR. */
export interface CounterIncrQuietOptions {
  readonly by?: Integer | undefined;
  readonly id?: RequestId | undefined;
  readonly at?: Time | undefined;
}

/** Options of LB.COUNTER.GET. */
export interface CounterGetOptions {
  readonly from?: Time | undefined;
  readonly to?: Time | undefined;
  readonly fill?: boolean | undefined;
}

/** Options of LB.COUNTER.MGET. */
export interface CounterMGetOptions {
  readonly from?: Time | undefined;
  readonly to?: Time | undefined;
  readonly fill?: boolean | undefined;
}

/** Options of LB.COUNTER.ALTER. */
export interface CounterAlterOptions {
  readonly precisions?: Text | undefined;
  readonly samples?: Integer | undefined;
  readonly dedup?: Integer | undefined;
}
