import { basename } from "node:path";

// `dev-server.ts` has wrangler load this. Its standard input is a pipe from the command that started it, and ends with that command,
// whatever killed it. wrangler passes the import on to its other processes, which have nothing to watch.
if (basename(process.argv[1] ?? "") === "wrangler.js") {
  process.stdin.once("end", () => process.kill(0, "SIGKILL"));
  process.stdin.resume();
}
