// The end of the game.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { it } from "node:test";

export function ending(game) {
  it("Ctrl-C ends the game and its server, with viewers too", async () => {
    const viewer = await fetch(`${game.address}/live?country=SE`);
    await game.stop();
    await viewer.text().catch(() => null);
    assert.equal(game.process.exitCode, 0);
    const [error] = await once(connect(Number(game.redis), "127.0.0.1"), "error");
    assert.equal(error.code, "ECONNREFUSED");
  });
}
