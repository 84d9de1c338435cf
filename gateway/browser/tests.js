// All tests in one process, so that they share one browser and one server.
import "./stage/stage.js";
import "./tests/appearance.js";
