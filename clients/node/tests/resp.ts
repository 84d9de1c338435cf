// A parser of replies in RESP2 and RESP3.

/** How whole numbers arrive: as a library without, or with, strings for numbers gives them. */
export type Numbers = "numbers" | "strings";

/** An error in a reply. */
export class ErrorReply extends Error {}

/** Reads the only reply in these bytes. */
export function parse(bytes: Buffer, numbers: Numbers): unknown {
  return new Parser(bytes, numbers).next();
}

/** Reads all commands in these bytes. */
export function commands(bytes: Buffer): string[][] {
  const parser = new Parser(bytes, "numbers");
  const all: string[][] = [];
  while (!parser.isAtEnd) {
    all.push(parser.next() as string[]);
  }
  return all;
}

class Parser {
  #at = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly numbers: Numbers,
  ) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  next(): unknown {
    const kind = String.fromCharCode(this.bytes[this.#at] ?? 0);
    const line = this.#line();
    const count = Number(line);
    switch (kind) {
      case "+":
        return line;
      case "-":
        return new ErrorReply(line);
      case ":":
        return this.numbers === "strings" ? line : count;
      case "_":
        return null;
      case "$":
        return count < 0 ? null : this.#string(count);
      case "*":
        return count < 0 ? null : this.#items(count);
      case "%":
        return new Map(Array.from({ length: count }, () => [this.next(), this.next()]));
      default:
        throw new Error(`no reply begins with ${JSON.stringify(kind)}`);
    }
  }

  #line(): string {
    const end = this.bytes.indexOf("\r\n", this.#at);
    const line = this.bytes.toString("utf8", this.#at + 1, end);
    this.#at = end + 2;
    return line;
  }

  #string(length: number): string {
    const text = this.bytes.toString("utf8", this.#at, this.#at + length);
    this.#at += length + 2;
    return text;
  }

  #items(count: number): unknown[] {
    return Array.from({ length: count }, () => this.next());
  }
}
