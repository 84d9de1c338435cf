// A private server with the module, and the gateway.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { Leaderboard } from "leaderboard-client";
import { fromNodeRedis } from "leaderboard-client/node-redis";
import { createClient } from "redis";

import { GATEWAY, MODULE, findServer } from "./files.js";
import { Program } from "./program.js";

type Client = ReturnType<typeof createClient>;

/** How often another port is tried: another program can take a free port first. */
const TRIES = 5;

/** A program that is missing, or that does not start. */
export class ServerError extends Error {
  override readonly name = "ServerError";
}

export interface ServerOptions {
  /** The port for Redis clients. Without it, or with 0: a free one. */
  readonly port?: number | undefined;
  /** The port of the console and the HTTP API, 0 for a free one. Without it, there is no gateway. */
  readonly http?: number | undefined;
  /** Where the data is kept in an append-only file. Without it, the data ends with the server. */
  readonly directory?: string | undefined;
  /** The server to run. Without it: `$LEADERBOARD_REDIS_SERVER`, or the system's. */
  readonly program?: string | undefined;
}

/** A server with the module on 127.0.0.1. It ends with this program, also if this program is killed. */
export interface Server extends AsyncDisposable {
  /** The address for Redis clients. */
  readonly url: string;
  /** The port for Redis clients. */
  readonly port: number;
  /** The address of the console and the HTTP API, if they were asked for. */
  readonly console: string | undefined;
  /** The name and the version of the server, such as `Redis 7.0.15`. */
  readonly version: string;
  /** Returns a client of the server. It is closed when the server is stopped. */
  client(): Leaderboard;
  /** Removes all data. */
  flush(): Promise<void>;
  /** Waits until one of the programs ends. */
  wait(): Promise<void>;
  /** Ends the programs. Data in a directory is written before. */
  stop(): Promise<void>;
}

/**
 * Starts a server.
 *
 * @throws {ServerError} A program is missing, or does not start.
 */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const server = new PrivateServer();
  try {
    await server.start(options);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

class PrivateServer implements Server {
  port = 0;
  console: string | undefined;
  version = "";
  readonly #temporary = mkdtempSync(join(tmpdir(), "leaderboard-"));
  readonly #programs: Program[] = [];
  #client: Client | undefined;

  get url(): string {
    return urlOf(this.port);
  }

  client(): Leaderboard {
    return new Leaderboard(fromNodeRedis(this.#redis));
  }

  async flush(): Promise<void> {
    await this.#redis.sendCommand(["FLUSHALL"]);
  }

  async wait(): Promise<void> {
    await Promise.race(this.#programs.map((program) => program.ended));
  }

  async stop(): Promise<void> {
    // A client whose server has ended by itself is closed.
    if (this.#client?.isOpen) {
      this.#client.destroy();
    }
    this.#client = undefined;
    for (const program of this.#programs.splice(0).reverse()) {
      await program.stop();
    }
    rmSync(this.#temporary, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async start({ port = 0, http, directory, program = findServer() }: ServerOptions): Promise<void> {
    if (program === undefined) {
      throw new ServerError("there is no redis-server or valkey-server: install one, or name one");
    }
    await this.#startServer(program, port, this.#settings(directory));
    if (http !== undefined) {
      await this.#startGateway(http);
    }
  }

  get #redis(): Client {
    if (this.#client === undefined) {
      throw new ServerError("the server was stopped");
    }
    return this.#client;
  }

  #settings(directory: string | undefined): string[] {
    if (directory === undefined) {
      return ["--dir", this.#temporary, "--save", "", "--appendonly", "no"];
    }
    mkdirSync(directory, { recursive: true });
    return ["--dir", resolve(directory), "--save", "", "--appendonly", "yes"];
  }

  async #startServer(path: string, port: number, settings: readonly string[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      const chosen = port === 0 ? await freePort() : port;
      const door = ["--port", String(chosen), "--bind", "127.0.0.1", "--loadmodule", MODULE];
      const program = this.#run("server", [path, ...door, ...settings]);
      if (await program.until(() => this.#connect(program, chosen))) {
        this.port = chosen;
        return;
      }
      if (port !== 0 || tries === TRIES || !program.output.includes("ddress already in use")) {
        throw new ServerError(`${path} does not start:\n${endOf(program)}`);
      }
    }
  }

  async #startGateway(http: number): Promise<void> {
    const address = `127.0.0.1:${String(http)}`;
    const program = this.#run("gateway", [GATEWAY, "--redis", this.url, "--http", address]);
    this.console = await program.until(() => /http:\/\/\S+/.exec(program.output)?.[0]);
    if (this.console === undefined) {
      throw new ServerError(`the gateway does not start:\n${endOf(program)}`);
    }
  }

  #run(name: string, command: readonly string[]): Program {
    const program = new Program(command, join(this.#temporary, `${name}.log`));
    this.#programs.push(program);
    return program;
  }

  /** Keeps a connection and returns true, if this program and no other server answers at the port. */
  async #connect(program: Program, port: number): Promise<true | undefined> {
    const client = createClient({ url: urlOf(port), socket: { reconnectStrategy: false } });
    // Commands report a lost connection. An error without a listener would end the user's program.
    client.on("error", () => undefined);
    try {
      await client.connect();
      const info = await client.info("server");
      if (info.includes(`process_id:${String(program.pid)}\r\n`)) {
        this.version = versionIn(info);
        this.#client = client;
        return true;
      }
      client.destroy();
    } catch {
      // It does not listen yet.
    }
    return undefined;
  }
}

function urlOf(port: number): string {
  return `redis://127.0.0.1:${String(port)}`;
}

function versionIn(info: string): string {
  const valkey = /valkey_version:(\S+)/.exec(info)?.[1];
  return valkey === undefined ? `Redis ${/redis_version:(\S+)/.exec(info)?.[1] ?? ""}` : `Valkey ${valkey}`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = createServer().once("error", reject);
    listener.listen(0, "127.0.0.1", () => {
      const { port } = listener.address() as AddressInfo;
      listener.close(() => { resolve(port); });
    });
  });
}

function endOf(program: Program): string {
  return program.output.trimEnd().split("\n").slice(-10).join("\n");
}
