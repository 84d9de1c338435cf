// What most tests share: a filled server and a console beside it that lets everybody do everything.
import { after, before } from "node:test";
import { startBrowser, stopBrowser } from "./browser.js";
import { fill } from "./data.js";
import { Gateway } from "./gateway.js";
import { Server } from "./server.js";

export const stage = {};

before(async () => {
  [stage.server] = await Promise.all([Server.start(), startBrowser()]);
  await fill(stage.server);
  stage.gateway = await Gateway.start(stage.server);
});

after(async () => {
  await Promise.allSettled([stage.gateway?.stop(), stopBrowser()]);
  await stage.server?.stop();
});
