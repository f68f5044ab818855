import { expect, it } from "vitest";
import { LANGUAGES } from "../../../src/platform/languages.ts";
import { signUp } from "./support.ts";
import { MAX_USER_NAME_CHARS } from "../../../src/identity/people/limits.ts";

it("a person changes the own name, which the next session has too", async () => {
  const { browser } = await signUp();
  const { body: before } = await browser.get("/api/auth/session");
  const renamed = await browser.patch("/api/auth/user", { name: " Zoë  O’Hara\u0007 " });
  expect([renamed.status, renamed.body["code"]]).toEqual([400, "invalid_request"]);
  const { status, body } = await browser.patch("/api/auth/user", { name: "Zoë O’Hara" });
  const user = { ...(before["user"] as object), name: "Zoë O’Hara" };
  expect([status, body]).toEqual([200, { user }]);
  expect((await browser.get("/api/auth/session")).body).toEqual({ ...before, user });
  for (const name of ["", "  ", "a".repeat(MAX_USER_NAME_CHARS + 1), 7, null])
    expect([name, (await browser.patch("/api/auth/user", { name })).status]).toEqual([name, 400]);
});

it("a person chooses the own language, which every session has, or leaves it to the browser", async () => {
  const { browser } = await signUp();
  const languageOf = async () =>
    ((await browser.get("/api/auth/session")).body["user"] as { language: unknown }).language;
  expect(await languageOf()).toBeNull();
  for (const language of [...Object.keys(LANGUAGES), null]) {
    const { status, body } = await browser.patch("/api/auth/user", { language });
    expect([status, body["user"]]).toEqual([200, expect.objectContaining({ language })]);
    expect(await languageOf()).toBe(language);
  }
  expect((await browser.patch("/api/auth/user", {})).status).toBe(400);
  for (const language of ["", "xx", "EN", 7])
    expect([language, (await browser.patch("/api/auth/user", { language })).status]).toEqual([language, 400]);
});
