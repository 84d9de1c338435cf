// The programs that this package carries, and the servers that it finds.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

import { FILES } from "./location.cjs";

export const MODULE: string = join(FILES, "libleaderboard.so");
export const GATEWAY: string = join(FILES, "leaderboard-gateway");
export const FLIGHTS: string = join(FILES, "flights-2013-01.csv.gz");

/** Returns the server to run: `$LEADERBOARD_REDIS_SERVER`, or the system's. */
export function findServer(): string | undefined {
  const given = process.env.LEADERBOARD_REDIS_SERVER;
  return given === undefined || given === "" ? (which("redis-server") ?? which("valkey-server")) : given;
}

function which(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
