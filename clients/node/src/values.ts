// The types of values in calls and replies.

/** A key. A string is sent as UTF-8. */
export type Key = string | Buffer;

/** Any text. A string is sent as UTF-8. */
export type Text = string | Buffer;

/** A whole number. A `number` must be a safe integer: others have lost digits. */
export type Integer = number | bigint;

/**
 * A decimal number. One with a fraction is a string, since a `number` loses digits of it. With levels it is
 * the text of all levels, and a bound may be `-inf` or `+inf`.
 */
export type Numeric = number | bigint | string;

/** A moment: milliseconds since the Unix epoch, or a `Date`. */
export type Time = number | Date;

/** Names with a value each. Names from users belong into a `Map` or an array: an object knows `__proto__`. */
export type Pairs =
  | Readonly<Record<string, Text>>
  | ReadonlyMap<Text, Text>
  | readonly (readonly [Text, Text])[];

/**
 * The id of a request. The client makes one if there is none. `null` sends none: then it counts as often as
 * it is sent.
 */
export type RequestId = Text | null;

/** A score: a `bigint` if it is a whole number, otherwise the text of a decimal number or of all levels. */
export type Score = bigint | string;
