// Compiles the package twice: as ES modules and as CommonJS.

import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const compile = (...options) =>
  execFileSync(process.execPath, [compiler, "-p", ".", ...options], { stdio: "inherit" });

rmSync("dist", { recursive: true, force: true });
compile("--outDir", "dist/esm");
compile("--outDir", "dist/cjs", "--module", "CommonJS", "--moduleResolution", "node10");
// Node.js takes the modules of this package for ES modules, but for these.
writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
chmodSync("dist/esm/main.js", 0o755);
