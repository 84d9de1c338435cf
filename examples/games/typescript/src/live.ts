// What viewers see, read once for all of them.

import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import type { Boards } from "./boards.js";

/** The milliseconds between two reads. Viewers see a change after this time at the latest. */
const EVERY = 250;

/**
 * Reads the boards for all viewers, and wakes those whose page has changed.
 *
 * However many viewers there are, the server answers one pipeline for each read, with one list for each
 * country that somebody looks at. Without viewers, nothing is read.
 */
export class Live {
  readonly #viewers = new Map<string, number>();
  /** An event for each country whose page has changed. */
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #pages = new Map<string, string>();

  constructor(private readonly boards: Boards) {}

  /** Reads until the signal. */
  async readUntil(end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      try {
        this.#show(await this.boards.pages([...this.#viewers.keys()]));
      } catch (error) {
        // Viewers keep what they have seen, until the server is back.
        console.error(`the boards cannot be read: ${String(error)}`);
      }
      await sleep(EVERY);
    }
  }

  /** Yields the page of a country now, and again whenever it has changed, until the viewer has gone. */
  async *follow(country: string, gone: AbortSignal): AsyncGenerator<string> {
    this.#count(country, 1);
    try {
      let seen: string | undefined;
      while (!gone.aborted) {
        const page = this.#pages.get(country);
        if (page === undefined || page === seen) {
          await once(this.#changes, country, { signal: gone }).catch(() => undefined);
        } else {
          // A slow viewer misses pages between two, and never holds up the others.
          yield (seen = page);
        }
      }
    } finally {
      this.#count(country, -1);
    }
  }

  #show(pages: Map<string, string>): void {
    const before = this.#pages;
    this.#pages = pages;
    for (const [country, page] of pages) {
      if (page !== before.get(country)) {
        this.#changes.emit(country);
      }
    }
  }

  #count(country: string, change: number): void {
    const viewers = (this.#viewers.get(country) ?? 0) + change;
    if (viewers === 0) {
      this.#viewers.delete(country);
    } else {
      this.#viewers.set(country, viewers);
    }
  }
}
