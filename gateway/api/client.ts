// A client that openapi-typescript has made from the description of the API: votes, reads, errors.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const [address, token] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl: `${address}/api/v1`,
  headers: { Authorization: `Bearer ${token}` },
});

function check(holds: boolean, what: unknown): asserts holds {
  if (!holds) throw new Error(JSON.stringify(what));
}

async function cast(id: string): Promise<components["schemas"]["Outcome"]> {
  const { data, error } = await client.POST("/boards/{key}/votes", {
    params: { path: { key: "ts" }, header: { "Idempotency-Key": id } },
    body: { by: "user:1", votes: [{ member: "tide", votes: 1 }] },
  });
  check(data !== undefined, error);
  return data;
}

const made = await client.POST("/boards", { body: { key: "ts", views: "all", limit: ["one voter 2 all"], nx: false, shown: false, declared: false, prizes: [] } });
check(made.response.status === 201, made);
for (const id of ["a", "a", "b"]) {
  const outcome = await cast(id);
  check(outcome.accepted, outcome);
}
const outcome = await cast("c");
check(!outcome.accepted, outcome);
check(outcome.rule === "one", outcome); // `accepted` tells the compiler which form this is

const top = await client.GET("/boards/{key}/top", { params: { path: { key: "ts" }, query: { count: 5 } } });
check(top.data?.rows[0]?.member === "tide" && top.data.rows[0].score === "2", top);
const refused = await client.GET("/boards/{key}/top", { params: { path: { key: "ts" }, query: { view: "no-such-view" } } });
check(refused.error?.status === 422 && refused.error.type === "urn:leaderboard:invalid", refused);
const absent = await client.GET("/boards/{key}/top", { params: { path: { key: "ts:absent" }, query: { strict: true } } });
check(absent.error?.status === 404, absent);
const batch = await client.POST("/batch", {
  body: { ops: [{ op: "top", key: "ts", count: 1 }, { op: "info", key: "ts" }] },
});
check(batch.data?.results.every((result) => result.status === 200) === true, batch);
console.log("api: the TypeScript client works");
