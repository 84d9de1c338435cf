// A real redis-server with the module, on a free port, with its data in a directory of its own.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MODULE } from "./built.js";
import { start, stop } from "./process.js";

export async function freePort() {
  const listener = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

export class Server {
  static async start() {
    const server = new Server();
    server.port = await freePort();
    server.directory = await mkdtemp(join(tmpdir(), "leaderboard-pages."));
    await server.run();
    return server;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  async run() {
    const settings = { port: this.port, bind: "127.0.0.1", dir: this.directory, save: "", appendonly: "no", loadmodule: MODULE };
    const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    [this.process] = await start("redis-server", words, /Ready to accept connections/);
  }

  /** Sends one command, and gives the text that redis-cli prints for it. */
  ask(...words) {
    return this.cli(["-e", ...words.map(String)]);
  }

  /** Sends many commands, written as in redis-cli. An error of one of them is an error. */
  async send(commands) {
    const told = await this.cli([], commands.join("\n"));
    const error = told.split("\n").find((line) => /^(ERR|WRONGTYPE|NOBOARD|BOARDEXISTS)/.test(line));
    if (error) throw new Error(`${error} in:\n${commands.join("\n").slice(0, 2_000)}`);
  }

  cli(words, input) {
    return new Promise((resolve, reject) => {
      const done = (error, told) => (error ? reject(new Error(`${words.join(" ")}: ${told}${error}`)) : resolve(told));
      const child = execFile("redis-cli", ["-p", this.port, ...words], { maxBuffer: 1 << 24 }, done);
      child.stdin.end(input);
    });
  }

  /** Ends the server as a crash does, but for what it holds: `run` brings that back. */
  async crash() {
    await this.ask("SAVE");
    await stop(this.process);
  }

  async stop() {
    await stop(this.process);
    await rm(this.directory, { recursive: true });
  }
}
