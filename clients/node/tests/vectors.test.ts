// Each call of the shared sessions has the same words, and each reply the same value.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ErrorReply, parse, type Numbers } from "./resp.js";
import { plain, request, sessions, type Call } from "./sessions.js";

function latin1(words: readonly (string | Buffer)[]): string[] {
  return words.map((word) => Buffer.from(word as string).toString("latin1"));
}

function checkReply(call: Call, wire: string, numbers: Numbers): void {
  const reply = parse(Buffer.from(wire, "latin1"), numbers);
  if (reply instanceof ErrorReply) {
    assert.equal(reply.message, call.error?.message);
    return;
  }
  assert.deepEqual(plain(request(call).decode(reply)), plain(call.value), call.words.join(" "));
}

/** Whether a number in the reply would have lost digits. */
function isLarge(wire: string): boolean {
  return [...wire.matchAll(/(?<=:)-?\d+(?=\r)/g)].some(([digits]) => !Number.isSafeInteger(Number(digits)));
}

for (const session of sessions()) {
  test(`words of ${session.name}`, () => {
    for (const call of session.calls) {
      assert.deepEqual(latin1(request(call).words), call.words);
    }
  });

  test(`replies of ${session.name}`, () => {
    for (const call of session.calls) {
      for (const wire of [call.resp2, call.resp3]) {
        checkReply(call, wire, "strings");
        if (!isLarge(wire)) {
          checkReply(call, wire, "numbers");
        }
      }
    }
  });
}
