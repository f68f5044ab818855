import { beforeEach, expect, it, vi } from "vitest";
import { internet } from "../../webhooks/support.ts";
import { atSecondStep, codeOf, enrolled, pass, post, stopClock } from "./factors.ts";
import { newEmail, OTHER_PASSWORD, PASSWORD } from "./support.ts";

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

it("each proof of an identity is logged with its method and the person, and without what was given", async () => {
  const { browser, email, userId, secret, recoveryCodes } = await enrolled();
  const lines: string[] = [];
  vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  const unknown = newEmail();
  await atSecondStep(unknown, OTHER_PASSWORD);
  await atSecondStep(email, OTHER_PASSWORD);
  const { browser: stranger } = await atSecondStep(email);
  await post(stranger, "/sign-in/mfa", { code: "000000" });
  pass();
  const code = codeOf(secret);
  await post(stranger, "/sign-in/mfa", { code });
  const [recoveryCode = ""] = recoveryCodes;
  await post((await atSecondStep(email)).browser, "/sign-in/mfa", { recoveryCode });
  await post(browser, "/confirm", { password: PASSWORD });
  await post(browser, "/confirm", { code });
  await post(browser, "/password/change", { currentPassword: OTHER_PASSWORD, password: PASSWORD });

  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const proofs = events.filter(({ event }) => event === "identity_proof");
  expect(proofs.map(({ method, accepted, userId: of }) => [method, accepted, of])).toEqual([
    ["password", false, null],
    ["password", false, userId],
    ["password", true, userId],
    ["code", false, userId],
    ["code", true, userId],
    ["password", true, userId],
    ["recovery_code", true, userId],
    ["password", false, userId],
    ["code", false, userId],
    ["password", false, userId],
  ]);
  // The line of the request says where it was.
  const requests = new Map(events.filter(({ event }) => event === "request").map((each) => [each["requestId"], each]));
  expect(requests.get(proofs[3]?.["requestId"])).toMatchObject({ path: "/api/auth/sign-in/mfa", status: 401 });
  for (const secretText of [email, unknown, PASSWORD, OTHER_PASSWORD, code, recoveryCode, browser.session ?? "?"])
    expect(lines.join("\n")).not.toContain(secretText);
});
