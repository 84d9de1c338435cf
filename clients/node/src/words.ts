// The words of a command.

import { randomUUID } from "node:crypto";

import type { Key, Pairs, RequestId } from "./values.js";

/** A value that becomes one word. */
export type Word = string | Buffer | number | bigint | Date;

/** A value that becomes one word or several. */
export type Value = Word | readonly Word[];

/** A command with its arguments, in the order in which they are sent. */
export class Words {
  readonly all: (string | Buffer)[];
  /** The words of options. */
  readonly given = new Set<string>();
  /** The first key, by which a cluster knows the node. */
  firstKey: Key | undefined;
  /** Whether the request has an id, so that it counts once, however often it is sent. */
  hasId = false;

  constructor(name: string) {
    this.all = [name];
  }

  add(value: Value): void {
    if (isList(value)) {
      this.all.push(...value.map(encoded));
    } else {
      this.all.push(encoded(value));
    }
  }

  addIf(value: Value | undefined): void {
    if (value !== undefined) {
      this.add(value);
    }
  }

  key(value: Key): void {
    this.add(value);
    this.firstKey ??= value;
  }

  many(values: readonly Value[]): void {
    for (const value of listed(values)) {
      this.add(value);
    }
  }

  rows(rows: readonly (readonly Word[])[]): void {
    this.many(rows);
  }

  pairs(pairs: Pairs): void {
    this.many(entries(pairs));
  }

  /** Appends a word, the number of values, and the values. */
  counted(values: readonly Word[], word?: string): void {
    if (word !== undefined) {
      this.#name(word);
    }
    this.add(listed(values).length);
    this.many(values);
  }

  keys(keys: readonly Key[], word?: string): void {
    this.counted(keys, word);
    this.firstKey ??= keys[0];
  }

  flag(word: string, isSet: boolean | undefined): void {
    if (isSet === true) {
      this.#name(word);
    }
  }

  option(word: string, value: Value | undefined): void {
    if (value !== undefined) {
      this.#name(word);
      this.add(value);
    }
  }

  optionOfMany(word: string, values: readonly Word[] | undefined): void {
    if (values !== undefined) {
      this.#name(word);
      this.many(values);
    }
  }

  /** Appends an option as often as there are values. */
  repeated(word: string, values: readonly Value[] = []): void {
    for (const value of listed(values)) {
      this.option(word, value);
    }
  }

  eachPair(word: string, pairs: Pairs = []): void {
    this.repeated(word, entries(pairs));
  }

  rule<R>(word: string, rule: R | undefined, write: (words: Words, rule: R) => void): void {
    if (rule !== undefined) {
      this.#name(word);
      write(this, rule);
    }
  }

  rules<R>(word: string, rules: readonly R[] = [], write: (words: Words, rule: R) => void): void {
    for (const rule of listed(rules)) {
      this.rule(word, rule, write);
    }
  }

  requestId(word: string, id: RequestId = randomUUID()): void {
    this.option(word, id ?? undefined);
    this.hasId = id !== null;
  }

  #name(word: string): void {
    this.given.add(word);
    this.all.push(word);
  }
}

function isList(value: unknown): value is readonly Word[] {
  return Array.isArray(value);
}

/** Refuses a string, which would be a list of letters for JavaScript. */
function listed<T>(values: readonly T[]): readonly T[] {
  if (!isList(values)) {
    throw new TypeError(`a list of values, not ${shown(values)}`);
  }
  return values;
}

function entries(pairs: Pairs): readonly (readonly [Word, Word])[] {
  if (pairs instanceof Map) {
    return [...(pairs as ReadonlyMap<Word, Word>)];
  }
  return isList(pairs) ? (pairs as readonly (readonly [Word, Word])[]) : Object.entries(pairs);
}

/** Programs in JavaScript may give any value. */
function encoded(value: unknown): string | Buffer {
  if (typeof value === "string") {
    // Halves of letters would all be sent as the same replacement, so different names would become one.
    if (/\p{Surrogate}/u.test(value)) {
      throw new TypeError(`${shown(value)} has half of a letter (a lone surrogate), which UTF-8 cannot tell`);
    }
    return value;
  }
  if (Buffer.isBuffer(value)) {
    return value;
  }
  if (typeof value === "bigint") {
    return value.toString();
  }
  return encodedNumber(value);
}

function encodedNumber(value: unknown): string {
  if (value instanceof Date) {
    return encodedNumber(value.getTime());
  }
  if (typeof value !== "number") {
    throw new TypeError(`a number or a text, not ${shown(value)}`);
  }
  if (!Number.isSafeInteger(value)) {
    throw new TypeError(`${String(value)} as a number loses digits: give it as a bigint or a string`);
  }
  return value.toString();
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
