#!/usr/bin/env node
import { ignoreClosedPipe } from "./output/terminal.ts";
import { run } from "./run.ts";

ignoreClosedPipe();
process.exitCode = await run(process.argv.slice(2));
