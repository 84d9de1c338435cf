// Where the builds are that the tests run.
import { fileURLToPath } from "node:url";

const built = (name) => fileURLToPath(new URL(`../../../target/release/${name}`, import.meta.url));

export const MODULE = process.env.LEADERBOARD_MODULE ?? built("libleaderboard.so");
export const PROGRAM = process.env.LEADERBOARD_GATEWAY ?? built("leaderboard-gateway");
