import { afterAll } from "vitest";
import { endFile } from "./support/end-of-file.ts";

// Runs for each file, also where files share a process.
afterAll(endFile);
