// Reads replies, in RESP2 and RESP3. A whole number may come as a string, so that it keeps all digits. A map
// may come as a flat array, a Map or an object.

import { UnexpectedReply } from "./errors.js";
import type { Score } from "./values.js";

/** Reads a reply, or a part of one. */
export type Decoder<T> = (reply: unknown) => T;

const WHOLE = /^-?\d+$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Reads the text OK. */
export function ok(reply: unknown): void {
  if (text(reply) !== "OK") {
    throw wrong("OK", reply);
  }
}

/** Reads the text OK where other calls are answered by 1 or 0. */
export function yes(reply: unknown): boolean {
  ok(reply);
  return true;
}

/** Reads a whole number of up to 64 bits. */
export function big(reply: unknown): bigint {
  if (typeof reply === "bigint") {
    return reply;
  }
  if (typeof reply === "number") {
    return BigInt(safe(reply));
  }
  const digits = text(reply);
  if (!WHOLE.test(digits)) {
    throw wrong("a whole number", reply);
  }
  return BigInt(digits);
}

/** Reads a whole number below 2^53. */
export function whole(reply: unknown): number {
  return safe(Number(big(reply)));
}

/** Reads 0 or 1. */
export function flag(reply: unknown): boolean {
  const value = big(reply);
  if (value !== 0n && value !== 1n) {
    throw wrong("0 or 1", reply);
  }
  return value === 1n;
}

/** Reads any string. */
export function text(reply: unknown): string {
  if (Buffer.isBuffer(reply)) {
    return reply.toString();
  }
  if (typeof reply !== "string") {
    throw wrong("a string", reply);
  }
  return reply;
}

/** Reads a decimal number in a string. */
export function decimal(reply: unknown): string {
  const digits = text(reply);
  if (!DECIMAL.test(digits)) {
    throw wrong("a decimal number", reply);
  }
  return digits;
}

/** Reads a score: a whole number, a decimal number, or several levels. */
export function score(reply: unknown): Score {
  if (typeof reply === "number" || typeof reply === "bigint") {
    return big(reply);
  }
  const digits = text(reply);
  return WHOLE.test(digits) ? BigInt(digits) : digits;
}

/** Reads this or nil. */
export function optional<T>(inner: Decoder<T>): Decoder<T | null> {
  return (reply) => (reply === null ? null : inner(reply));
}

/** Reads an array of these. */
export function listOf<T>(inner: Decoder<T>): Decoder<T[]> {
  return (reply) => items(reply).map(inner);
}

/** Reads a map with any names. */
export function mapOf<T>(inner: Decoder<T>): Decoder<Map<string, T>> {
  return (reply) => new Map(pairs(reply).map(([name, value]) => [text(name), inner(value)]));
}

/** Reads an array of these elements as a record. */
export function array<T extends object>(fields: { readonly [F in keyof T]: Decoder<T[F]> }): Decoder<T> {
  const decoders = Object.entries<Decoder<unknown>>(fields);
  return (reply) => {
    const values = items(reply);
    if (values.length !== decoders.length) {
      throw wrong(`${String(decoders.length)} elements`, reply);
    }
    return Object.fromEntries(decoders.map(([name, inner], at) => [name, inner(values[at])])) as T;
  };
}

/** Reads a map with these names as a record. Other names belong to later versions of the module. */
export function mapping<T extends object>(fields: {
  readonly [F in keyof T]: readonly [name: string, inner: Decoder<T[F]>];
}): Decoder<T> {
  const decoders = Object.entries<readonly [string, Decoder<unknown>]>(fields);
  return (reply) => {
    const values = mapOf((value) => value)(reply);
    const read = ([own, [name, inner]]: (typeof decoders)[number]) => {
      if (!values.has(name)) {
        throw wrong(`a map with ${name}`, reply);
      }
      return [own, inner(values.get(name))];
    };
    return Object.fromEntries(decoders.map(read)) as T;
  };
}

/** Reads the first of these shapes that the reply has. */
export function oneOf<T>(...decoders: readonly Decoder<T>[]): Decoder<T> {
  return (reply) => {
    for (const inner of decoders) {
      try {
        return inner(reply);
      } catch (error) {
        if (!(error instanceof UnexpectedReply)) {
          throw error;
        }
      }
    }
    throw wrong("a known shape", reply);
  };
}

function items(reply: unknown): readonly unknown[] {
  if (!Array.isArray(reply)) {
    throw wrong("an array", reply);
  }
  return reply;
}

function pairs(reply: unknown): readonly (readonly [unknown, unknown])[] {
  if (reply instanceof Map) {
    return [...(reply as ReadonlyMap<unknown, unknown>)];
  }
  if (typeof reply === "object" && reply !== null && !Array.isArray(reply)) {
    return Object.entries(reply);
  }
  const all = items(reply);
  if (all.length % 2 !== 0) {
    throw wrong("a map", reply);
  }
  return all.flatMap((name, at) => (at % 2 === 0 ? [[name, all[at + 1]] as const] : []));
}

function safe(value: number): number {
  if (!Number.isSafeInteger(value)) {
    const advice = "the client must ask for whole numbers as strings (ioredis: the option stringNumbers)";
    throw new UnexpectedReply(`${String(value)} has lost digits as a number: ${advice}`);
  }
  return value;
}

function wrong(expected: string, reply: unknown): UnexpectedReply {
  const kind = Array.isArray(reply) ? `an array of ${String(reply.length)}` : typeof reply;
  const shown = typeof reply === "string" || typeof reply === "number" ? JSON.stringify(reply) : kind;
  return new UnexpectedReply(`expected ${expected}, not ${shown}`);
}
