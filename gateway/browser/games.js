// The web game of examples/games in each language, started as its README says. `scripts/games.sh test` runs this.
import { after, before, describe } from "node:test";
import { faults } from "./games/faults.js";
import { Game } from "./games/game.js";
import { ending } from "./games/ending.js";
import { live } from "./games/live.js";
import { looks } from "./games/looks.js";
import { rounds } from "./games/rounds.js";
import { startBrowser, stopBrowser } from "./stage/browser.js";

// Some of these languages alone, if $GAMES names them.
const LANGUAGES = (process.env.GAMES ?? "python typescript").split(" ");
const PATIENCE = 120_000;

before(startBrowser);
after(stopBrowser);

describe("the game", { concurrency: true }, () => {
  for (const language of LANGUAGES) {
    describe(`in ${language}`, { concurrency: false, timeout: PATIENCE }, () => {
      const game = new Game(language);
      before(() => game.start());
      after(() => game.stop());
      live(game);
      describe("at once", { concurrency: true }, () => {
        describe("faults", { concurrency: false }, () => faults(game));
        describe("rounds", { concurrency: true }, () => rounds(game));
        // The page is the same for all languages, and its look takes long to test.
        if (language === LANGUAGES[0]) describe("looks", { concurrency: false }, () => looks(game));
      });
      ending(game);
    });
  }
});
