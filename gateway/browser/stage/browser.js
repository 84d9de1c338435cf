// One Chromium for all tests, and windows in it that note what went wrong in them.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

// Quiet: nothing but what the tests ask for goes to the network.
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const PROGRAM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

let browser;

export async function startBrowser() {
  browser = await chromium.launch({ executablePath: PROGRAM, args: FLAGS });
}

export function stopBrowser() {
  return browser?.close();
}

/** A window of its own, without cookies. `faults` gathers errors in its console, refusals of the CSP among them. */
export async function open(gateway, { width = 1280, height = 900, language = "en", scheme = "light", scripts = true } = {}) {
  const context = await browser.newContext({
    baseURL: gateway.address,
    viewport: { width, height },
    locale: language === "zh" ? "zh-CN" : "en-GB",
    colorScheme: scheme,
    javaScriptEnabled: scripts,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.faults = [];
  page.on("console", (said) => said.type() === "error" && page.faults.push(`${page.url()}: ${said.text()}`));
  page.on("pageerror", (error) => page.faults.push(`${page.url()}: ${error}`));
  page.end = () => context.close();
  return page;
}

/** A window for one test, closed in the end whatever happens. */
export async function within(gateway, options, work) {
  const page = await open(gateway, options);
  try {
    await work(page);
  } finally {
    await page.end();
  }
}
