import { afterEach } from "vitest";
import { endVisits } from "./support/visits.ts";

// Runs for each file, also where files share a process.
afterEach(endVisits);
