// Sends requests by node-redis. Its types are not imported: they differ with the modules that a client knows.

import type { Request } from "./request.js";
import type { Sender } from "./sender.js";

/** node-redis names a type of replies by the byte that begins it: ":" is a number, "%" a map. */
interface Options {
  readonly typeMapping: { readonly 58: StringConstructor; readonly 37: MapConstructor };
}

/** A client or a pool of node-redis. */
export interface NodeRedisClient {
  sendCommand(words: (string | Buffer)[], options: Options): Promise<unknown>;
}

/** A cluster of node-redis. */
export interface NodeRedisCluster {
  readonly masters: readonly unknown[];
  sendCommand(
    key: string | Buffer | undefined,
    isRead: boolean,
    words: (string | Buffer)[],
    options: Options,
  ): Promise<unknown>;
}

/** Whole numbers keep all digits, and maps may have any names. */
const OPTIONS: Options = { typeMapping: { 58: String, 37: Map } };

/** Returns a sender for a client, a pool or a cluster of node-redis. The caller connects and closes it. */
export function fromNodeRedis(client: NodeRedisClient | NodeRedisCluster): Sender {
  const send = async ({ key, isRead, words }: Request<unknown>) =>
    "masters" in client
      ? client.sendCommand(key, isRead, [...words], OPTIONS)
      : client.sendCommand([...words], OPTIONS);
  // node-redis writes together what is sent in the same turn of the event loop.
  return { send: (requests) => Promise.allSettled(requests.map(send)) };
}
