// The real console beside a server, on a port that the system chooses.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { PROGRAM } from "./built.js";
import { start, stop } from "./process.js";

export class Gateway {
  static async start(server, ...flags) {
    const gateway = new Gateway();
    await gateway.run(server, 0, flags);
    return gateway;
  }

  /** At a port that others know before it starts. Browsers reach it as localhost. */
  static async startAt(port, server, ...flags) {
    const gateway = new Gateway();
    await gateway.run(server, port, flags);
    gateway.address = `http://localhost:${port}`;
    return gateway;
  }

  async run(server, port, flags) {
    const words = ["--redis", server.url, "--http", `127.0.0.1:${port}`, "--live-ms", "100", ...flags];
    [this.process, [this.address]] = await start(PROGRAM, words, /http:\/\/\S+/);
  }

  stop() {
    return stop(this.process);
  }
}

/** A tokens file with one token for each role, which is named like it. Gives the flags that use it, and the tokens. */
export function tokens(server, roles, name = "tokens") {
  const file = join(server.directory, name);
  const make = (role) => execFileSync(PROGRAM, ["token", "new", file, "--name", role, "--role", role]).toString().trim();
  return { flags: ["--tokens", file], tokens: Object.fromEntries(roles.map((role) => [role, make(role)])) };
}
