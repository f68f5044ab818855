import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { MAIL_KEPT_MS, MAX_SHOWN_NOTICES } from "../../../src/identity/people/limits.ts";
import { MAX_TIMESTAMP_MS } from "../../../src/limits.ts";
import { queueDueMails } from "../../../src/platform/mail/send.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { jobContext, runCron } from "../../support/api.ts";
import { NO_MAIL, noticesOf, send } from "../teams/no-mail.ts";
import { join, makeTeam } from "../teams/support.ts";
import { internet } from "../../webhooks/support.ts";
import { PEOPLE, signUp, takeMails } from "./support.ts";

beforeEach(() => internet.reset());

const titlesOf = async (...args: Parameters<typeof noticesOf>) => (await noticesOf(...args)).map(({ title }) => title);

it("a person reads what no mail can tell, in the person's language, until it is dismissed", async () => {
  const team = await makeTeam();
  const member = await join(team, "member");
  await takeMails();
  await send(team.owner.browser, "PATCH", `/api/teams/${team.id}/members/${member.userId}`, { role: "viewer" });
  expect(await titlesOf(member.browser)).toEqual(["Your role was changed"]);
  expect(await titlesOf(team.owner.browser)).toEqual([]);
  await send(member.browser, "PATCH", "/api/auth/user", { language: "de" });
  const [first] = await noticesOf(member.browser);
  expect(first?.title).toBe("Ihre Rolle wurde geändert");
  // A notice that comes between the reading and the dismissal stays.
  await env.DB.prepare("UPDATE mails SET created_at = created_at - 1 WHERE kind = 'role_changed'").run();
  await send(team.owner.browser, "DELETE", `/api/teams/${team.id}/members/${member.userId}`);
  await send(member.browser, "PATCH", "/api/auth/user", { noticesReadAt: (first?.createdAt ?? 0) - 1 });
  expect(await titlesOf(member.browser)).toEqual(["Sie haben ein Team verlassen"]);
  await send(member.browser, "PATCH", "/api/auth/user", { noticesReadAt: MAX_TIMESTAMP_MS });
  expect(await titlesOf(member.browser)).toEqual([]);
  // A time to come dismisses nothing that is still to come.
  const readAt = env.DB.prepare("SELECT notices_read_at AS at FROM users WHERE id = ?1").bind(member.userId);
  expect(await readAt.first("at")).toBeLessThanOrEqual(Date.now());
  expect(await takeMails()).toEqual([]);
});

it("a mail that no way can send is stored without its content, and is neither tried nor given up", async () => {
  const { browser, email } = await signUp();
  await send(browser, "POST", "/api/keys", { name: "Robot" });
  const find = () => env.DB.prepare("SELECT content, due_at, attempts FROM mails WHERE kind = 'key_created'").first();
  expect(await find()).toEqual({ content: null, due_at: null, attempts: 0 });
  // The operator's commands cannot know whether the service sends mails.
  const now = Date.now();
  await env.DB.prepare(
    "INSERT INTO mails (id, kind, recipient, recipient_key, due_at, created_at) VALUES (?1, 'factors_reset', ?2, ?2, ?3, ?3)",
  )
    .bind(newId(now), email, now)
    .run();
  await runCron(now, { ...PEOPLE, ...NO_MAIL });
  expect(await queueDueMails(jobContext(now, { ...PEOPLE, ...NO_MAIL }))).toBe(0);
  expect(await titlesOf(browser)).toEqual(["Your second factors were removed", "An API key was created"]);
  expect(await queueDueMails(jobContext(now, PEOPLE))).toBe(1);
});

it("notices are those of the person and of the time since the sign-up, the newest 20, and none are links or invitations", async () => {
  const { browser, email, userId } = await signUp();
  const now = Date.now();
  const add = (kind: string, createdAt: number, recipient = email) =>
    env.DB.prepare(
      "INSERT INTO mails (id, kind, recipient, recipient_key, created_at) VALUES (?1, ?2, ?3, ?3, ?4)",
    ).bind(newId(createdAt), kind, recipient, createdAt);
  const { created_at: since } = (await env.DB.prepare("SELECT created_at FROM users WHERE id = ?1")
    .bind(userId)
    .first<{ created_at: number }>()) ?? { created_at: 0 };
  await env.DB.batch([
    add("totp_removed", since - 1),
    add("passkey_removed", now, "other@example.com"),
    ...["verify_email", "reset_password", "confirm_email", "invitation", "weekly_report"].map((kind) => add(kind, now)),
  ]);
  expect(await titlesOf(browser)).toEqual([]);
  await env.DB.batch(Array.from({ length: MAX_SHOWN_NOTICES + 1 }, () => add("key_revoked", now)));
  expect(await titlesOf(browser)).toEqual(Array.from({ length: MAX_SHOWN_NOTICES }, () => "An API key was revoked"));
  await runCron(now + MAIL_KEPT_MS + 60_000, PEOPLE);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM mails").first("n")).toBe(0);
});
