// A server for tests that the test runner of Node.js runs.

import { after, before, beforeEach } from "node:test";

import type { Leaderboard } from "leaderboard-client";

import { startServer, type Server, type ServerOptions } from "./server.js";

/** A server that is there while tests run. */
export interface TestServer {
  /** The address for Redis clients. */
  readonly url: string;
  /** The port for Redis clients. */
  readonly port: number;
  /** The address of the console and the HTTP API, if they were asked for. */
  readonly console: string | undefined;
  /** A client of the server. */
  readonly leaderboard: Leaderboard;
}

/**
 * Starts a server before the tests of this file or of this `describe`, and stops it after them. Each test begins
 * without data. Only hooks and tests can use the server: before them, it has no address.
 */
export function leaderboardServer(options: ServerOptions = {}): TestServer {
  let server: Server | undefined;
  const running = (): Server => {
    if (server === undefined) {
      throw new Error("the server starts with the tests: use it inside of them");
    }
    return server;
  };
  before(async () => {
    server = await startServer(options);
  });
  beforeEach(() => running().flush());
  after(() => server?.stop());
  return {
    get url() {
      return running().url;
    },
    get port() {
      return running().port;
    },
    get console() {
      return running().console;
    },
    get leaderboard() {
      return running().client();
    },
  };
}
