// The real console beside a server, on a port that the system chooses.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { PROGRAM } from "./built.js";
import { start, stop } from "./process.js";

export class Gateway {
  static async start(server, ...flags) {
    const gateway = new Gateway();
    const words = ["--redis", server.url, "--http", "127.0.0.1:0", "--live-ms", "100", ...flags];
    [gateway.process, [gateway.address]] = await start(PROGRAM, words, /http:\/\/\S+/);
    return gateway;
  }

  stop() {
    return stop(this.process);
  }
}

/** A tokens file with one token for each role, which is named like it. Gives the flags that use it, and the tokens. */
export function tokens(server, roles) {
  const file = join(server.directory, "tokens");
  const make = (role) => execFileSync(PROGRAM, ["token", "new", file, "--name", role, "--role", role]).toString().trim();
  return { flags: ["--tokens", file], tokens: Object.fromEntries(roles.map((role) => [role, make(role)])) };
}
