import { expect, test } from "vitest";
import { withLocalDatabase } from "../../scripts/local-database.ts";
import { temporaryFolder } from "./support/command.ts";

test("a database of a newer version is refused, with the folder and advice", async () => {
  const folder = temporaryFolder();
  await withLocalDatabase(folder, (database) => database.prepare("INSERT INTO schema_migrations VALUES (99)").run());
  const failure = await withLocalDatabase(folder, () => expect.unreachable()).catch(String);
  expect(failure).toContain(`The database in ${folder} has version 99`);
  expect(failure).toContain("delete that folder");
});
