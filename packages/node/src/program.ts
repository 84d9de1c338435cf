// Starts and stops a program that never outlives this one.

import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** The milliseconds after which a program that has not started, or has not ended, is given up. */
const PATIENCE = 20_000;

/**
 * Node.js cannot ask the system to end a program with its parent. So a shell waits beside the program at a pipe
 * from this one. If the pipe ends without a line, this program was killed, and the shell ends the other one.
 */
const ENDS_WITH_PARENT = '{ read -r line <&3 || kill "$$"; } & exec "$@" 3<&-';

/** A program that writes its output to a file. */
export class Program {
  /** The system's number of the process. */
  readonly pid: number | undefined;
  /** Is there when the program has ended. */
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;
  readonly #log: string;

  constructor(command: readonly string[], log: string) {
    const output = openSync(log, "w");
    this.#process = spawn("/bin/sh", ["-c", ENDS_WITH_PARENT, "sh", ...command], {
      stdio: ["ignore", output, output, "pipe"],
      // Ctrl-C goes to this program alone, which ends the others in order.
      detached: true,
    });
    closeSync(output);
    this.#log = log;
    this.pid = this.#process.pid;
    this.ended = new Promise((resolve) => this.#process.once("close", () => { resolve(); }));
    this.#process.once("error", () => undefined);
    this.#process.once("exit", () => { this.#release(); });
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** What the program has written. */
  get output(): string {
    return readFileSync(this.#log, "utf8");
  }

  /** Asks again and again until there is an answer. Returns undefined if the program ended, or takes too long. */
  async until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T | undefined> {
    const end = performance.now() + PATIENCE;
    while (this.isRunning && performance.now() < end) {
      const answer = await ask();
      if (answer !== undefined) {
        return answer;
      }
      await sleep(20);
    }
    return undefined;
  }

  /** Ends the program. */
  async stop(): Promise<void> {
    if (this.isRunning) {
      this.#process.kill("SIGTERM");
      const timer = setTimeout(() => this.#process.kill("SIGKILL"), PATIENCE);
      await this.ended;
      clearTimeout(timer);
    }
  }

  /** Lets the shell end. A line tells it to kill nothing: the number may be another program's by now. */
  #release(): void {
    const pipe = this.#process.stdio[3];
    if (pipe instanceof Writable) {
      pipe.on("error", () => undefined);
      pipe.end("\n");
    }
  }
}
