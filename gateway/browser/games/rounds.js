// What the server counts, and what it refuses.
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SECONDS, solve } from "./game.js";

const WHOLE = SECONDS * 1_000;
// Answers can arrive for this long after a round.
const GRACE = 5_000;

export function rounds(game) {
  let late;
  let lateAt;
  before(async () => {
    late = await game.begin("late", "IT");
    lateAt = Date.now() + WHOLE + GRACE + 100;
  });

  it("a repeated request counts once, and with other answers never", async () => {
    const begun = await game.begin("rita", "PT");
    await sleep(WHOLE);
    const first = await game.finish(begun, solve(begun));
    const again = await game.finish(begun, solve(begun));
    assert.deepEqual([first.points, first.counted, first.score, first.league.score], [20, true, 20, 20]);
    assert.deepEqual([again.points, again.counted, again.score, again.league.score], [20, false, 20, 20]);
    const other = await game.finish(begun, solve(begun, 1));
    assert.deepEqual(other, { status: 409, error: "This round has counted with other answers." });
  });

  it("points are right answers less wrong ones, and never less than none", async () => {
    const [mixed, wrong] = await Promise.all([game.begin("mia", "NL"), game.begin("will", "NL")]);
    await sleep(WHOLE);
    assert.equal((await game.finish(mixed, [solve(mixed)[0], -1])).points, 5);
    assert.equal((await game.finish(wrong, [-1, -1])).points, 0);
  });

  it("a forged round is refused", async () => {
    const begun = await game.begin("eve", "US");
    const { token } = begun;
    const place = Math.floor(token.length / 3);
    const changed = token.slice(0, place) + (token[place] === "A" ? "B" : "A") + token.slice(place + 1);
    for (const forged of [changed, token.slice(0, -4), `${token}x`, "", "e30.e30.e30"]) {
      assert.deepEqual(await game.finish({ token: forged }, []), { status: 403, error: "This round was not begun here." });
    }
  });

  it("answers that are too fast are refused", async () => {
    const begun = await game.begin("flash", "US");
    assert.deepEqual(await game.finish(begun, solve(begun)), { status: 422, error: "Nobody answers as fast as that." });
  });

  it("requests with other contents are refused", async () => {
    const error = "A name has 1 to 20 characters, a country two letters, an answer is a number.";
    const entries = [{ player: "", country: "SE" }, { player: "  ", country: "SE" }, { player: "x".repeat(21), country: "SE" },
      { player: "a\nb", country: "SE" }, { player: "ann", country: "se" }, { player: "ann" }, [], "{", ""];
    for (const entry of entries) assert.deepEqual(await game.post("/rounds", entry), { status: 400, error }, JSON.stringify(entry));
    assert.deepEqual(await game.post("/results", { token: "x", answers: ["one"] }), { status: 400, error });
    assert.equal((await fetch(`${game.address}/live?country=Sweden`)).status, 400);
  });

  it("answers that come too late are refused", async () => {
    await sleep(Math.max(0, lateAt - Date.now()));
    assert.deepEqual(await game.finish(late, solve(late)), { status: 410, error: "These answers come too late: the round is over." });
  });
}
