import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { createJobContext } from "#src/platform/context.ts";
import { consumeMails } from "#src/platform/mail/send.ts";
import { texts as german } from "#src/platform/mail/texts/de.ts";
import { texts as english } from "#src/platform/mail/texts/en.ts";
import { texts as spanish } from "#src/platform/mail/texts/es.ts";
import { makeTeam } from "../teams/support.ts";
import { internet } from "../../webhooks/support.ts";
import { Browser, newEmail, PASSWORD, PEOPLE, signUp, takeMails } from "./support.ts";

beforeEach(() => internet.reset());

const subjects = async () => (await takeMails()).map(({ subject }) => subject);

async function register(headers: Record<string, string>) {
  const body = { email: newEmail(), password: PASSWORD, name: "Ann" };
  expect((await new Browser().post("/api/auth/sign-up", body, { headers })).status).toBe(202);
  const [mail] = await takeMails();
  return mail;
}

it("is that of the request for who is no user yet: chosen in the browser, else preferred by it, else English", async () => {
  const mail = await register({ "Accept-Language": "de-AT,en;q=0.5" });
  expect(mail?.subject).toBe(german.letters.verify_email.subject);
  expect(mail?.html).toContain('<html lang="de">');
  expect(mail?.html).toContain(`>${german.letters.verify_email.label}</a>`);
  expect(mail?.text).toContain("Diese E-Mail ist von ");
  expect(mail?.token).not.toBe("");
  const cookie = { "Accept-Language": "de", Cookie: "tern-language=es" };
  expect((await register(cookie))?.subject).toBe(spanish.letters.verify_email.subject);
  for (const headers of [{}, { "Accept-Language": "fr" }])
    expect((await register(headers as Record<string, string>))?.subject).toBe(english.letters.verify_email.subject);
});

it("is that of the person, whoever is the cause and whatever the request prefers", async () => {
  const person = await signUp();
  const team = await makeTeam();
  const headers = { "Accept-Language": "de" };
  await person.browser.post("/api/auth/password/forgot", { email: person.email }, { headers });
  expect(await subjects()).toEqual([german.letters.reset_password.subject]);
  await person.browser.patch("/api/auth/user", { language: "es" });
  await person.browser.post("/api/auth/password/forgot", { email: person.email }, { headers });
  expect(await subjects()).toEqual([spanish.letters.reset_password.subject]);
  await env.DB.prepare("DELETE FROM mails").run();
  const reply = await team.owner.browser.post(`/api/teams/${team.id}/invitations`, {
    email: person.email,
    role: "member",
  });
  expect(reply.status).toBe(201);
  const [invitation] = await takeMails();
  expect(invitation?.subject).toBe(spanish.letters.invitation.subject);
  expect(invitation?.text).toContain("te invita al equipo “Acme”");
});

it("is English for who reads the dashboard in a language that mails do not have", async () => {
  const mail = await register({ "Accept-Language": "ar" });
  expect(mail?.subject).toBe(english.letters.verify_email.subject);
  expect(mail?.html).toContain('<html lang="en">');
});

it("is that of the person for notices that are written when they are sent", async () => {
  const person = await signUp();
  await person.browser.patch("/api/auth/user", { language: "de" });
  await env.DB.prepare(
    `INSERT INTO mails (id, kind, recipient, recipient_key, content, due_at, created_at)
     VALUES ('m1', 'operator_added', ?1, ?1, NULL, 1, 1)`,
  )
    .bind(person.email)
    .run();
  const execution = createExecutionContext();
  const message = { body: { kind: "mail", mailId: "m1" }, ack: () => undefined };
  await consumeMails([message as never], createJobContext({ ...env, ...PEOPLE }, execution, Date.now()));
  await waitOnExecutionContext(execution);
  expect(await subjects()).toEqual([german.letters.operator_added.subject]);
});

it.each(Object.entries({ german, spanish }))("has no English text in %s", (_, { letters, reasons }) => {
  const kinds = Object.keys(english.letters) as (keyof typeof letters)[];
  for (const kind of kinds) {
    const [translated, original] = [letters[kind], english.letters[kind]];
    expect(translated.subject).not.toBe(original.subject);
    expect(translated.paragraphs).toHaveLength(original.paragraphs.length);
    expect(original.paragraphs.filter((text) => translated.paragraphs.includes(text))).toEqual([]);
    expect(translated.label === undefined).toBe(original.label === undefined);
  }
  const same = Object.entries(reasons).filter(([name, text]) => english.reasons[name as never] === text);
  expect(same.map(([, text]) => text).filter((text) => !/^(?:phishing|spam)$/.test(text))).toEqual([]);
});
