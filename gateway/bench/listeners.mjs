// Opens live streams of one board and tells how many of them showed each of some writes, and how soon.
//
//   node listeners.mjs http://127.0.0.1:7380 board listeners writes

import http from "node:http";

const [base, board, listeners, writes] = process.argv.slice(2);
const count = Number(listeners);
const url = `${base}/api/v1/boards/${encodeURIComponent(board)}`;
const agent = new http.Agent({ maxSockets: Infinity });
/** When each write was sent, and how long each listener waited for it, in ms. */
const sent = [];
const waits = Array.from({ length: Number(writes) }, () => []);

function seen(text) {
  const score = JSON.parse(text).rows[0]?.score ?? "0";
  const number = Number(score) - 1;
  if (number >= 0 && waits[number]) waits[number].push(performance.now() - sent[number]);
}

function listen() {
  return new Promise((resolve, reject) => {
    const request = http.get(`${url}/live?count=10`, { agent }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (text) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        for (const line of lines) if (line.startsWith("data:")) seen(line.slice(5));
      });
      response.once("data", resolve);
    });
    request.on("error", reject);
  });
}

async function write() {
  sent.push(performance.now());
  const body = JSON.stringify({ points: 1 });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/members/one/score`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`);
}

await Promise.all(Array.from({ length: count }, listen));
console.log(`${count} streams are open`);
for (let number = 0; number < waits.length; number++) {
  await write();
  const until = performance.now() + 10_000;
  while (waits[number].length < count && performance.now() < until) await new Promise((wake) => setTimeout(wake, 10));
}
const all = waits.flat().sort((a, b) => a - b);
const at = (share) => all[Math.min(all.length - 1, Math.floor(all.length * share))]?.toFixed(0);
console.log(`${all.length} of ${count * waits.length} updates came; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms after the write`);
process.exit(all.length === count * waits.length ? 0 : 1);
