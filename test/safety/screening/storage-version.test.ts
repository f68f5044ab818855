import { expect, it } from "vitest";
import { SCREENER_STEPS } from "#src/safety/screening/store/tables.ts";
import { contentOf, expectRefused, openWithNewerCode, takeBack } from "../../support/newer-storage.ts";
import { addEntries, screener, useScreening } from "./support.ts";

useScreening();

const NEWER = {
  steps: SCREENER_STEPS,
  change: "ALTER TABLE watched_links RENAME TO links; UPDATE links SET step = step + 7;",
  undo: "UPDATE links SET step = step - 7; ALTER TABLE links RENAME TO watched_links;",
};

it("a Screener of version 1 is opened by newer code with its links; older code refuses it, and loses nothing", async () => {
  await addEntries(["host evil.dev"]);
  const now = Date.now();
  await screener().watch(["one", "two"], now);
  const due = await screener().listDue(now + 1_000_000, 10);
  expect(due).toMatchObject([{ id: "one" }, { id: "two" }]);

  await openWithNewerCode(screener(), NEWER);
  const content = await contentOf(screener());
  expect(content["links"]).toMatchObject([
    { id: "one", step: 7 },
    { id: "two", step: 7 },
  ]);
  await expectRefused(() => screener().watch(["three"], now));
  await expectRefused(() => screener().screen(["https://evil.dev/"]));
  expect(await contentOf(screener())).toEqual(content);

  await takeBack(screener(), NEWER);
  expect(await screener().listDue(now + 1_000_000, 10)).toEqual(due);
  expect(await screener().screen(["https://evil.dev/"])).toMatchObject([{ verdict: "block" }]);
});
