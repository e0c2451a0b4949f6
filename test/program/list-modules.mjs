/** Preloaded into a program: writes the address of every module that it loads to MODULE_LIST, one a line. */
import { register } from "node:module";

if (process.env["MODULE_LIST"] !== undefined)
  register(
    `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from "node:fs";
  export async function load(url, context, next) {
    appendFileSync(${JSON.stringify(process.env["MODULE_LIST"])}, url + "\\n");
    return next(url, context);
  }
`)}`,
  );
