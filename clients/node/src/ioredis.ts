// Sends requests by ioredis.

import { Command } from "ioredis";

import type { Request } from "./request.js";
import type { Sender } from "./sender.js";

type Reply = [error: Error | null, value: unknown];

/** What the class of ioredis's pipelines has. The type that `pipeline()` returns leaves out `sendCommand`. */
interface Pipeline {
  readonly length: number;
  sendCommand(command: Command): unknown;
  exec(): Promise<Reply[] | null>;
}

/** A client or a cluster of ioredis. */
export interface IoredisClient {
  readonly isCluster: boolean;
  sendCommand(command: Command): unknown;
  pipeline(): unknown;
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
  const send: Sender["send"] = (requests) =>
    requests.length > 1 ? pipelined(client, requests) : Promise.allSettled(requests.map(sendOne));
  return { send };
}

/**
 * Sends a pipeline to a single server, and one for each slot to a cluster.
 *
 * With `stringNumbers: true`, a cluster of ioredis does not know the nodes of some slots. It sends a command of
 * such a slot to any node, which names the right one. Commands that are sent one by one would arrive in any order;
 * a pipeline is sent again as a whole.
 */
async function pipelined(
  client: IoredisClient,
  requests: readonly Request<unknown>[],
): Promise<PromiseSettledResult<unknown>[]> {
  const pipelines = new Map<number | null, Pipeline>();
  const places = requests.map((request) => {
    const command = new KeyedCommand(request);
    const slot = client.isCluster ? command.getSlot() : null;
    const pipeline = pipelines.get(slot) ?? (client.pipeline() as Pipeline);
    pipelines.set(slot, pipeline);
    const at = pipeline.length;
    pipeline.sendCommand(command);
    return { pipeline, at };
  });
  const sent = new Map([...pipelines.values()].map((pipeline) => [pipeline, pipeline.exec()]));
  return Promise.allSettled(places.map(async ({ pipeline, at }) => value((await sent.get(pipeline))?.[at])));
}

function value(reply: Reply | undefined): unknown {
  if (reply === undefined) {
    throw new Error("ioredis returned no reply");
  }
  const [error, result] = reply;
  if (error !== null) {
    throw error;
  }
  return result;
}
