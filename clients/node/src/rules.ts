// Rules that are values of options. Made by clients/generate from docs/commands.json.

import type { Integer, Numeric, Text } from "./values.js";
import type { Words } from "./words.js";

/** The option PRIZES: view, places, per. */
export interface Prizes {
  readonly view: Text;
  readonly places: Text;
  readonly per?: Text | undefined;
}

/** Appends the words of the rule. */
export function writePrizes(words: Words, rule: Prizes): void {
  words.add(rule.view);
  words.add(rule.places);
  words.option("PER", rule.per);
}

/** The option LIMIT: rule, scope, max, unit, bonus. */
export interface Limit {
  readonly rule: Text;
  readonly scope: Text;
  readonly max: Numeric;
  readonly unit: Text;
  readonly bonus?: readonly (readonly [Text, Text, Integer])[] | undefined;
}

/** Appends the words of the rule. */
export function writeLimit(words: Words, rule: Limit): void {
  words.add(rule.rule);
  words.add(rule.scope);
  words.add(rule.max);
  words.add(rule.unit);
  words.repeated("BONUS", rule.bonus);
}

/** The option PART: i, of. */
export interface Part {
  readonly i: Integer;
  readonly of: Integer;
}

/** Appends the words of the rule. */
export function writePart(words: Words, rule: Part): void {
  words.add(rule.i);
  words.option("OF", rule.of);
}
