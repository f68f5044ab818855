import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureClicks, measureLinks, type GrowthTable } from "./measure.ts";

const { values: options } = parseArgs({
  options: {
    json: { type: "string" },
    sizes: { type: "string", default: "1000,10000,100000,1000000" },
  },
});
const sizes = options.sizes.split(",").map(Number);
const tell = (line: string) => console.log(line);
const tables: GrowthTable[] = [
  await measureLinks("links of the account", sizes, tell),
  await measureLinks("links of others", sizes, tell),
  await measureClicks(sizes, tell),
];
for (const { name, sizes } of tables) {
  console.log(`\n${name}: rows read (of the ClickLog), rows written, round trips`);
  console.log("".padEnd(46) + sizes.map(({ links }) => String(links).padStart(24)).join(""));
  for (const operation of Object.keys(sizes[0]?.costs ?? {})) {
    const cells = sizes.map(({ costs }) => {
      const cost = costs[operation];
      return cost === undefined
        ? ""
        : `${cost.databaseRowsRead} (${cost.logRowsRead}) ${cost.databaseRowsWritten} (${cost.logRowsWritten}) ${cost.databaseRoundTrips}`;
    });
    console.log(operation.padEnd(46) + cells.map((cell) => cell.padStart(24)).join(""));
  }
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(tables, null, 2)}\n`);
