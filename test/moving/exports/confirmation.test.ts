import { expect, it } from "vitest";
import { endConfirmationsBefore } from "../../identity/people/end-confirmations.ts";
import { signUp, takeMails } from "../../identity/people/support.ts";
import { EXPORTS, finish, startExport } from "./support.ts";

it("an export fails if the confirmation of its session ends before anything is read", async () => {
  const { browser } = await signUp();
  await takeMails();
  const { body } = await endConfirmationsBefore("INSERT INTO mails", async () => {
    const { id } = await startExport(browser);
    await finish(browser, id);
    return browser.get(`${EXPORTS}/${id}`);
  });
  expect(body["export"]).toMatchObject({ status: "failed", size: null });
  expect(await takeMails()).toEqual([]);
});

it("a download is refused if the confirmation of its session ends meanwhile", async () => {
  const { browser } = await signUp();
  const { id } = await startExport(browser);
  expect(await finish(browser, id)).toMatchObject({ status: "done" });
  const { status, body } = await endConfirmationsBefore("INSERT INTO audit_entries", () =>
    browser.get(`${EXPORTS}/${id}/file`),
  );
  expect([status, body.code]).toEqual([403, "confirm_identity"]);
});
