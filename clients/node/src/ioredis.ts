// Sends requests by ioredis.

import { Command } from "ioredis";

import type { Request } from "./request.js";
import type { Sender } from "./sender.js";

/** A pipeline of ioredis. */
export interface IoredisPipeline {
  callBuffer(name: string, words: (string | Buffer)[]): unknown;
  exec(): Promise<[error: Error | null, reply: unknown][] | null>;
}

/** A client or a cluster of ioredis. */
export interface IoredisClient {
  readonly isCluster: boolean;
  sendCommand(command: Command): unknown;
  pipeline(): IoredisPipeline;
}

/** ioredis does not know where the keys of these commands are, so it would ask any node of a cluster. */
class KeyedCommand extends Command {
  readonly #keys: (string | Buffer)[];

  constructor({ words, key, isRead }: Request<unknown>) {
    super(String(words[0]), words.slice(1), { readOnly: isRead });
    this.#keys = key === undefined ? [] : [key];
  }

  override getKeys(): (string | Buffer)[] {
    return this.#keys;
  }
}

/**
 * Returns a sender for a client or a cluster of ioredis. The caller closes it.
 *
 * Make it with `stringNumbers: true`, or scores of 2^53 and more are refused, as ioredis has lost digits of
 * them. Make it with `maxRetriesPerRequest: 0`, or ioredis sends all requests again after a lost answer: those
 * without an id may count twice.
 */
export function fromIoredis(client: IoredisClient): Sender {
  const sendOne = async (request: Request<unknown>): Promise<unknown> =>
    await client.sendCommand(new KeyedCommand(request));
  const send: Sender["send"] = (requests) => {
    // A pipeline of a cluster takes keys of one node only.
    const inPipeline = !client.isCluster && requests.length > 1;
    return inPipeline ? pipelined(client, requests) : Promise.allSettled(requests.map(sendOne));
  };
  return { send };
}

async function pipelined(
  client: IoredisClient,
  requests: readonly Request<unknown>[],
): Promise<PromiseSettledResult<unknown>[]> {
  const pipeline = client.pipeline();
  for (const { words } of requests) {
    pipeline.callBuffer(String(words[0]), words.slice(1));
  }
  const replies = (await pipeline.exec()) ?? [];
  return replies.map(([error, value]) =>
    error === null ? { status: "fulfilled", value } : { status: "rejected", reason: error },
  );
}
