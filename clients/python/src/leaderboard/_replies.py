"""The replies of all commands. Made by clients/generate from docs/commands.json."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from leaderboard._values import Score


@dataclass(frozen=True, slots=True)
class InfoReply:
    """Fields: views, order, aggregate, ties, tz, weekstart, clock, retain, carry, decay, levels, segments, hours, attempts, bounds, decimals, origin, dedup, shown, declared, keep, opens, closes, maxmembers, prizedays, payouts, notifytop, members, hidden, requests, now, memory, last, incarnation, revision, request, target, grown, token, until, parts, part, schema, keys, state, limit, prizes, writes, repeated, votes, held_back, segment_counts."""

    views: str
    order: str
    aggregate: str
    ties: str
    tz: str
    weekstart: str
    clock: str
    retain: str
    carry: str
    decay: str
    levels: str
    segments: str
    hours: str
    attempts: str
    bounds: str
    decimals: int
    origin: int
    dedup: int
    shown: bool
    declared: bool
    keep: int
    opens: int
    closes: int
    maxmembers: int
    prizedays: int
    payouts: int
    notifytop: int
    members: int
    hidden: int
    requests: int
    now: int
    memory: int
    last: int
    incarnation: int
    revision: int
    request: int
    target: int
    grown: int
    token: int
    until: int
    parts: int
    part: int | None
    schema: int
    keys: list[str]
    state: str
    limit: list[str]
    prizes: list[str]
    writes: int
    repeated: int
    votes: int
    held_back: dict[str, int]
    segment_counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class PeriodsRow:
    """Fields: label, start, end, members."""

    label: str
    start: int | None
    end: int | None
    members: int


@dataclass(frozen=True, slots=True)
class Written:
    """Fields: score, rank, applied, old_score, old_rank, within."""

    score: Score | None
    rank: int | None
    applied: bool
    old_score: Score | None = None
    old_rank: int | None = None
    within: int | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """Fields: score, rank, applied."""

    score: Score | None
    rank: int | None
    applied: bool


@dataclass(frozen=True, slots=True)
class Row:
    """Fields: rank, member, score, meta."""

    rank: int
    member: str
    score: Score
    meta: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Fields: rank, score, meta."""

    rank: int
    score: Score
    meta: str | None = None


@dataclass(frozen=True, slots=True)
class StandingAhead:
    """Fields: member, score, gap."""

    member: str
    score: Score
    gap: Score


@dataclass(frozen=True, slots=True)
class StandingPrevious:
    """Fields: rank, score."""

    rank: int
    score: Score


@dataclass(frozen=True, slots=True)
class StandingReply:
    """Fields: rank, score, members, percentile, ahead, behind, previous, change, at, meta."""

    rank: int
    score: Score
    members: int
    percentile: Decimal
    ahead: StandingAhead | None = None
    behind: StandingAhead | None = None
    previous: StandingPrevious | None = None
    change: int | None = None
    at: int | None = None
    meta: str | None = None


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """Fields: label, start, rank, score, members."""

    label: str
    start: int | None
    rank: int | None
    score: Score | None
    members: int


@dataclass(frozen=True, slots=True)
class FindMember:
    """Fields: member, score, rank, meta."""

    member: str
    score: Score | None = None
    rank: int | None = None
    meta: str | None = None


@dataclass(frozen=True, slots=True)
class FindReply:
    """Fields: cursor, members."""

    cursor: str
    members: list[FindMember]


@dataclass(frozen=True, slots=True)
class AmongRow:
    """Fields: place, member, score, rank, meta."""

    place: int
    member: str
    score: Score
    rank: int
    meta: str | None = None


@dataclass(frozen=True, slots=True)
class StatsReply:
    """Fields: members, sum, mean, min, max, median."""

    members: int
    sum: Score | None = None
    mean: Decimal | None = None
    min: Score | None = None
    max: Score | None = None
    median: Score | None = None


@dataclass(frozen=True, slots=True)
class HistogramRow:
    """Fields: from, to, members."""

    from_: Score
    to: Score
    members: int


@dataclass(frozen=True, slots=True)
class SegmentsRow:
    """Fields: rank, value, score, members."""

    rank: int
    value: str
    score: Score
    members: int


@dataclass(frozen=True, slots=True)
class SegmentrankReply:
    """Fields: rank, score, members."""

    rank: int
    score: Score
    members: int


@dataclass(frozen=True, slots=True)
class PartsRow:
    """Fields: part, key, slot, node, incarnation, revision, members, memory, idle, problem."""

    part: int
    key: str
    slot: int
    node: str | None = None
    incarnation: int | None = None
    revision: int | None = None
    members: int | None = None
    memory: int | None = None
    idle: int | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ReshardReply:
    """Fields: parts, wanted."""

    parts: int
    wanted: int


@dataclass(frozen=True, slots=True)
class ImportReply:
    """Fields: cursor, imported."""

    cursor: str
    imported: int


@dataclass(frozen=True, slots=True)
class Vote:
    """Fields: accepted, positions, rule, retry_after."""

    accepted: bool
    positions: list[Position] | None = None
    rule: str | None = None
    retry_after: int | None = None


@dataclass(frozen=True, slots=True)
class QuotaRow:
    """Fields: rule, used, max, retry_after."""

    rule: str
    used: int
    max: int
    retry_after: int


@dataclass(frozen=True, slots=True)
class OptionsOption:
    """Fields: member, weight, initial, meta, real, shown, voters."""

    member: str
    weight: int
    initial: Score
    meta: str | None
    real: Score
    shown: Score
    voters: int


@dataclass(frozen=True, slots=True)
class OptionsReply:
    """Fields: cursor, options."""

    cursor: str
    options: list[OptionsOption]


@dataclass(frozen=True, slots=True)
class PrizesWinner:
    """Fields: rank, member, score, prize, claimed, value."""

    rank: int
    member: str
    score: Score
    prize: str
    claimed: int | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True)
class PrizesReply:
    """Fields: cursor, winners."""

    cursor: str
    winners: list[PrizesWinner]


@dataclass(frozen=True, slots=True)
class ClaimReply:
    """Fields: prize, rank, claimed, value."""

    prize: str
    rank: int
    claimed: bool
    value: str | None = None


@dataclass(frozen=True, slots=True)
class LeagueJoinLast:
    """Fields: period, tier, group, rank, members, score, outcome, reward."""

    period: str
    tier: str
    group: int
    rank: int
    members: int
    score: Score
    outcome: str
    reward: int


@dataclass(frozen=True, slots=True)
class LeagueJoinReply:
    """Fields: tier, group, rank, members, joined, waiting, last."""

    tier: str | None
    group: int | None
    rank: int | None
    members: int | None
    joined: bool
    waiting: bool
    last: LeagueJoinLast | None = None


@dataclass(frozen=True, slots=True)
class LeagueTopRow:
    """Fields: rank, member, score, meta, zone."""

    rank: int
    member: str
    score: Score
    meta: str | None = None
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class LeagueStandingReply:
    """Fields: tier, group, rank, members, score, zone."""

    tier: str
    group: int
    rank: int
    members: int
    score: Score
    zone: str


@dataclass(frozen=True, slots=True)
class LeagueInfoReply:
    """Fields: tiers, promote, demote, cycle, ties, joinuntil, tz, weekstart, clock, period, group, reward, idle, retain, decimals, origin, dedup, start, end, known, requests, now, memory, prizedays, members, groups, prizes."""

    tiers: str
    promote: str
    demote: str
    cycle: str
    ties: str
    joinuntil: str
    tz: str
    weekstart: str
    clock: str
    period: str
    group: int
    reward: int
    idle: int
    retain: int
    decimals: int
    origin: int
    dedup: int
    start: int
    end: int
    known: int
    requests: int
    now: int
    memory: int
    prizedays: int
    members: list[int]
    groups: list[int]
    prizes: list[str]


@dataclass(frozen=True, slots=True)
class LeaguePrizesWinner:
    """Fields: tier, group, rank, member, score, prize, claimed."""

    tier: str
    group: int
    rank: int
    member: str
    score: Score
    prize: str
    claimed: int | None = None


@dataclass(frozen=True, slots=True)
class LeaguePrizesReply:
    """Fields: cursor, winners."""

    cursor: str
    winners: list[LeaguePrizesWinner]


@dataclass(frozen=True, slots=True)
class LeagueClaimReply:
    """Fields: prize, rank, claimed."""

    prize: str
    rank: int
    claimed: bool


@dataclass(frozen=True, slots=True)
class CounterGetRow:
    """Fields: start, count."""

    start: int
    count: int


@dataclass(frozen=True, slots=True)
class CounterInfoReply:
    """Fields: precisions, clock, samples, dedup, total, requests, now, memory."""

    precisions: str
    clock: str
    samples: int
    dedup: int
    total: int
    requests: int
    now: int
    memory: int

