// A command and the type of its reply.

import type { Decoder } from "./decode.js";
import type { Key } from "./values.js";
import type { Words } from "./words.js";

/**
 * The decoders of a command's replies, each with the options that a call has then. The last that fits counts.
 */
export type Variants<R> = readonly (readonly [options: readonly string[], decoder: Decoder<R>])[];

/** A command and the type of its reply. The functions of `requests` make it, a `Leaderboard` sends it. */
export class Request<R> {
  /** The command and its arguments, as they are sent. */
  readonly words: readonly (string | Buffer)[];
  /** The first key, by which a cluster knows the node. */
  readonly key: Key | undefined;
  /** Whether the command changes nothing. */
  readonly isRead: boolean;
  /** Whether the request has the same effect if it is sent again: it is a read, or it has a request id. */
  readonly isRepeatable: boolean;
  readonly #decoder: Decoder<R> | undefined;

  constructor(words: Words, variants: Variants<R>, isRead: boolean) {
    this.words = words.all;
    this.key = words.firstKey;
    this.isRead = isRead;
    this.isRepeatable = isRead || words.hasId;
    const fits = ([options]: Variants<R>[number]) => options.every((word) => words.given.has(word));
    this.#decoder = variants.findLast(fits)?.[1];
  }

  /** Reads the reply. An `UnexpectedReply` is thrown if it has another form. */
  decode(reply: unknown): R {
    if (this.#decoder === undefined) {
      throw new TypeError("a command without a reply");
    }
    return this.#decoder(reply);
  }
}
