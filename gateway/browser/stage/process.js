// Child processes: waiting for what they say and for their end, and ending them however the tests end.
import { spawn } from "node:child_process";

const running = new Set();

/** Starts a program, and waits until it has said something that matches. Gives the process, and what was found. */
export async function start(program, words, pattern) {
  const child = spawn(program, words);
  running.add(child);
  child.once("exit", () => running.delete(child));
  return [child, await said(child, pattern)];
}

function said(child, pattern) {
  return new Promise((resolve, reject) => {
    let text = "";
    const hear = (part) => {
      text += part;
      const found = pattern.exec(text);
      if (found) resolve(found);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${child.spawnfile} ended with ${code}: ${text}`)));
  });
}

/** Ends a process and waits until it has ended. */
export function stop(child, signal = "SIGKILL") {
  if (!running.has(child)) return Promise.resolve();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  return ended;
}

process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
