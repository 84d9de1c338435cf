// The clients of the servers that LEADERBOARD_TEST_SERVERS names, as
// {"servers":{"redis-7.0":PORT},"cluster":[PORT],"gateway":PORT}.

import { Cluster, Redis } from "ioredis";
import { Leaderboard } from "leaderboard-client";
import { fromIoredis } from "leaderboard-client/ioredis";
import { fromNodeRedis } from "leaderboard-client/node-redis";
import { createClient, createCluster } from "redis";

export interface Servers {
  readonly servers: Readonly<Record<string, number>>;
  readonly cluster: readonly number[];
  readonly gateway?: number;
}

/** A client for a test. */
export interface Client {
  readonly leaderboard: Leaderboard;
  remove(key: string): Promise<unknown>;
  close(): Promise<unknown>;
}

export type Connect = () => Promise<Client>;

export function servers(): Servers | undefined {
  const text = process.env.LEADERBOARD_TEST_SERVERS;
  return text === undefined ? undefined : (JSON.parse(text) as Servers);
}

/** Returns how to connect to a single server or a gateway, by each library. */
export function single(port: number): Readonly<Record<string, Connect>> {
  return {
    "node-redis with RESP2": () => nodeRedis(port, 2),
    "node-redis with RESP3": () => nodeRedis(port, 3),
    ioredis: () => Promise.resolve(ioredis(port)),
  };
}

/** Returns how to connect to a cluster, by each library. */
export function clustered(ports: readonly number[]): Readonly<Record<string, Connect>> {
  return {
    "node-redis": () => nodeRedisCluster(ports),
    ioredis: () => Promise.resolve(ioredisCluster(ports)),
  };
}

async function nodeRedis(port: number, version: 2 | 3): Promise<Client> {
  const client = createClient({ socket: { port }, RESP: version });
  client.on("error", ignored);
  await client.connect();
  return {
    leaderboard: new Leaderboard(fromNodeRedis(client)),
    remove: (key) => client.del(key),
    close: () => client.close(),
  };
}

async function nodeRedisCluster(ports: readonly number[]): Promise<Client> {
  const cluster = createCluster({ rootNodes: ports.map((port) => ({ socket: { port } })), RESP: 3 });
  cluster.on("error", ignored);
  await cluster.connect();
  return {
    leaderboard: new Leaderboard(fromNodeRedis(cluster)),
    remove: (key) => cluster.del(key),
    close: () => cluster.close(),
  };
}

function ioredis(port: number): Client {
  const client = new Redis({ port, stringNumbers: true, maxRetriesPerRequest: 0 });
  return {
    leaderboard: new Leaderboard(fromIoredis(client)),
    remove: (key) => client.del(key),
    close: () => client.quit(),
  };
}

function ioredisCluster(ports: readonly number[]): Client {
  const nodes = ports.map((port) => ({ host: "127.0.0.1", port }));
  const cluster = new Cluster(nodes, { redisOptions: { stringNumbers: true, maxRetriesPerRequest: 0 } });
  return {
    leaderboard: new Leaderboard(fromIoredis(cluster)),
    remove: (key) => cluster.del(key),
    close: () => cluster.quit(),
  };
}

/** A lost connection fails the call that needed it. */
function ignored(): void {
  return;
}
