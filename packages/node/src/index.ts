// A server with the leaderboard module, for tests and for a first look.

export { ServerError, startServer, type Server, type ServerOptions } from "./server.js";
