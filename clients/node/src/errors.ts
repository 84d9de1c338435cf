// The errors that programs handle in different ways.

/** An error that a server or a gateway replied. `code` is its first word. */
export class LeaderboardError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  get code(): string {
    return this.word(0);
  }

  /** Returns a word of the message. */
  protected word(at: number): string {
    return this.message.split(" ")[at] ?? "";
  }
}

/** The key holds a board already. */
export class BoardExists extends LeaderboardError {}

/** The key holds no board, and the command makes none. */
export class NoBoard extends LeaderboardError {}

/** The request id belongs to a request with other contents. Nothing has changed. */
export class IdReused extends LeaderboardError {}

/** A rule of the board holds the write back. Nothing has changed. */
export class HeldBack extends LeaderboardError {
  /** The name of the rule: `closed`, `joined`, `bounds`, `full` or `attempts`. */
  get rule(): string {
    return this.word(1);
  }

  /** The milliseconds after which the write can pass; `null` if waiting does not help. */
  get retryAfter(): number | null {
    const wait = Number(this.word(2));
    return wait >= 0 ? wait : null;
  }
}

/** The key holds a value of another type. */
export class WrongType extends LeaderboardError {}

/** The key does not hold the part of a board that was asked for. */
export class NoPart extends LeaderboardError {}

/** Another gateway has changed the board since this one read its root. */
export class Stale extends LeaderboardError {}

/** The part of a board is being split or merged, and takes writes again soon. Nothing has changed. */
export class TryAgain extends LeaderboardError {}

/** The gateway has too much to do, or the server runs a script. Nothing has changed. */
export class Busy extends LeaderboardError {
  /** The milliseconds after which the gateway wants the request again; `null` if it does not say. */
  get retryAfter(): number | null {
    const wait = /try again in (\d+) ms/.exec(this.message)?.[1];
    return wait === undefined ? null : Number(wait);
  }
}

/** A part of a board over many nodes does not answer. A write has changed nothing. */
export class PartsDown extends LeaderboardError {}

/** No answer of a part came, so the write may have been applied. Send it again with its request id. */
export class Unknown extends LeaderboardError {}

/** The reply has another form than this version of the client knows. */
export class UnexpectedReply extends Error {
  override readonly name = "UnexpectedReply";
}

const BY_CODE = new Map<string, typeof LeaderboardError>([
  ["BOARDEXISTS", BoardExists],
  ["BUSY", Busy],
  ["HELDBACK", HeldBack],
  ["IDREUSED", IdReused],
  ["NOBOARD", NoBoard],
  ["NOPART", NoPart],
  ["PARTSDOWN", PartsDown],
  ["STALE", Stale],
  ["TRYAGAIN", TryAgain],
  ["UNKNOWN", Unknown],
  ["WRONGTYPE", WrongType],
]);
/**
 * Servers begin an error with a code. Errors of the libraries, such as a lost connection, begin with a word.
 */
const CODE = /^[A-Z][A-Z0-9]+(?= |$)/;

/**
 * Returns the error with the class of its code, if a server replied it. Other errors, such as a lost
 * connection, stay as they are.
 */
export function typed(error: unknown): Error {
  if (!(error instanceof Error)) {
    return new Error(String(error));
  }
  const code = CODE.exec(error.message)?.[0];
  if (error instanceof LeaderboardError || code === undefined) {
    return error;
  }
  const known = BY_CODE.get(code) ?? LeaderboardError;
  return new known(error.message, { cause: error });
}
