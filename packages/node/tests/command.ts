// Runs the command as it is installed beside these tests.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";

export const COMMAND = fileURLToPath(
  new URL("main.js", import.meta.resolve("leaderboard-server")),
);

/** The command, and what it printed until it was ready. */
export interface Running extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly printed: string;
  readonly port: number;
  /** Is there when the command has ended: what it wrote as errors. */
  readonly errors: Promise<string>;
}

/** Runs the command until it is ready. */
export async function running(...options: string[]): Promise<Running> {
  const child = spawn(process.execPath, [COMMAND, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const errors = text(child.stderr);
  let printed = "";
  for await (const part of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    printed += String(part);
    if (printed.includes("Ctrl-C ends it")) {
      break;
    }
  }
  const port = Number(/redis:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1]);
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  };
  return { child, printed, port, errors, [Symbol.asyncDispose]: end };
}

/** Returns whether the port stops answering soon. */
export async function isGone(port: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if (!(await answers(port))) {
      return true;
    }
    await sleep(50);
  }
  return false;
}

export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => { resolve(true); socket.destroy(); });
    socket.once("error", () => { resolve(false); });
  });
}
