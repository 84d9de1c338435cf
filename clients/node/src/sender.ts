// What a client needs of a library that talks to servers.

import type { Request } from "./request.js";

/** Sends commands. `fromNodeRedis` and `fromIoredis` make one of a client of these libraries. */
export interface Sender {
  /**
   * Sends the words of all requests, the later ones before the earlier ones are answered. Returns the reply
   * of each, or its error.
   */
  send(requests: readonly Request<unknown>[]): Promise<readonly PromiseSettledResult<unknown>[]>;
}
