// Where this package is installed. Only a CommonJS module knows it in both builds of the package.

import { join } from "node:path";

/** The directory of the programs that the package carries. */
export const FILES: string = join(__dirname, "..", "..", "files");
