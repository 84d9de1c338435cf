// Takes the pictures of the documents from a console with the demo's data: `make pictures`.
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { open, startBrowser, stopBrowser } from "./stage/browser.js";
import { MODULE, PROGRAM } from "./stage/built.js";
import { start, stop } from "./stage/process.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = `${ROOT}docs/pictures`;
const LARGEST = 200_000;

const PICTURES = [
  { name: "boards", path: "/boards", height: 560 },
  { name: "board", path: "/boards/songs?view=minute", height: 900, follow: true },
  { name: "campaign", path: "/boards/songs/campaign", scheme: "dark", height: 1_000, plot: "/plots/boards/songs/votes" },
  { name: "member", path: "/boards/flights:miles/members/N14228?view=day:7", width: 390, height: 844 },
  { name: "league", path: "/leagues/words", height: 900 },
];

/** How many seconds of a plot have votes. */
async function lively(path) {
  const { series } = await (await fetch(`${path}?range=hour`)).json();
  return (series[0]?.values ?? []).filter((value) => value > 0).length;
}

/** Waits until a plot has something to draw: half a minute of votes. */
async function plotted(page, path) {
  for (let tries = 0; (await page.evaluate(lively, path)) < 30; tries += 1) {
    if (tries === 120) throw new Error(`${path} stays empty`);
    await page.waitForTimeout(1_000);
  }
  await page.reload();
  await page.locator(".plot canvas").first().waitFor();
}

async function take(console, { name, path, width = 1280, height, scheme = "light", follow, plot }) {
  const page = await open({ address: console }, { width, height, scheme });
  await page.goto(path);
  if (follow) await page.locator("main tbody .up").first().waitFor({ timeout: 60_000 });
  if (plot) await plotted(page, plot);
  await page.evaluate(() => document.fonts.ready);
  const file = `${FOLDER}/${name}.png`;
  await page.screenshot({ path: file });
  await page.end();
  execFileSync("pngquant", ["--force", "--strip", "--skip-if-larger", "--output", file, file]);
  const { size } = statSync(file);
  if (size > LARGEST) throw new Error(`${file} has ${size} bytes: more than ${LARGEST}`);
  process.stdout.write(`${name}.png ${size} bytes\n`);
}

mkdirSync(FOLDER, { recursive: true });
const [demo, [console]] = await start(`${ROOT}scripts/console.sh`, [MODULE, PROGRAM, "--http", "127.0.0.1:0"], /http:\/\/\S+/);
try {
  await startBrowser();
  for (const picture of PICTURES) await take(console, picture);
} finally {
  await stopBrowser();
  // Not a kill: the script ends its server.
  await stop(demo, "SIGTERM");
}
