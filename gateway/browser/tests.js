// All tests in one process, so that they share one browser and one server.
import "./stage/stage.js";
import "./tests/appearance.js";
import "./tests/keyboard.js";
import "./tests/names.js";
import "./tests/live.js";
import "./tests/changes.js";
import "./tests/tasks.js";
import "./tests/segments.js";
import "./tests/prizes.js";
import "./tests/without_scripts.js";
import "./tests/access.js";
import "./tests/provider.js";
import "./tests/seasons.js";
import "./tests/narrow.js";
import "./tests/plots.js";
import "./tests/outage.js";
import "./tests/old.js";
