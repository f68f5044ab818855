import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/limits.ts";
import { consumeMails, queueDueMails, type MailMessage } from "../../../src/platform/mail/send.ts";
import { createAccount, jobContext, runCron } from "../../support/api.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { internet } from "../../webhooks/support.ts";
import { Browser, MAIL_API_URL, newEmail, PASSWORD, PEOPLE, takeMails } from "./support.ts";

beforeEach(() => internet.reset());

interface Queued {
  body: MailMessage;
  delaySeconds: number | undefined;
}

/** A queue that keeps its messages, because those of the real one would reach later tests. */
function queueOf(sent: Queued[]): Queue {
  const send = async (body: MailMessage, options: { delaySeconds?: number } = {}) =>
    void sent.push({ body, delaySeconds: options.delaySeconds });
  return { send, metrics: () => env.DELIVERIES.metrics() } as unknown as Queue;
}

async function consume({ body }: Queued, now: number, bindings: object): Promise<boolean> {
  let acknowledged = false;
  const message = { body, ack: () => (acknowledged = true) } as unknown as Message<MailMessage>;
  await consumeMails([message], jobContext(now, bindings));
  return acknowledged;
}

const rows = async () =>
  (await env.DB.prepare("SELECT attempts, due_at, content IS NULL AS erased FROM mails").all()).results;

describe("a mail", () => {
  it("that fails is tried again by the queue with growing delays, and given up after seven attempts", async () => {
    const sent: Queued[] = [];
    const bindings = { ...PEOPLE, DELIVERIES: queueOf(sent) };
    await internet.answers({ "mail.test": { status: 500 } });
    const body = { email: newEmail(), password: PASSWORD, name: "Ann" };
    const reply = await new Browser().post("/api/auth/sign-up", body, { bindings });
    expect(reply.status).toBe(202);
    const delays: (number | undefined)[] = [];
    for (let attempt = 1; attempt <= 6; attempt++) {
      const message = sent.shift();
      delays.push(message?.delaySeconds);
      // Too early: another message of the same mail does nothing.
      const dueAt = Number((await rows())[0]?.["due_at"]);
      expect(await consume(message as Queued, dueAt - 1, bindings)).toBe(true);
      expect(await rows()).toMatchObject([{ attempts: attempt }]);
      expect(await consume(message as Queued, dueAt, bindings)).toBe(true);
    }
    expect(delays).toEqual([10, 60, 300, 1_800, 7_200, 28_800]);
    expect(sent).toEqual([]);
    expect(await rows()).toEqual([{ attempts: 7, due_at: null, erased: 1 }]);
  });

  it("is sent once and then erased, with its id as the idempotency key", async () => {
    const body = { email: newEmail(), password: PASSWORD, name: "Ann" };
    await new Browser().post("/api/auth/sign-up", body);
    const received = (await internet.received()).filter(({ url }) => url === MAIL_API_URL);
    const id = await env.DB.prepare("SELECT id FROM mails").first<string>("id");
    expect(received).toMatchObject([
      { method: "POST", headers: { authorization: "Bearer mail-token", "idempotency-key": id } },
    ]);
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      from: "Tern <tern@tern.test>",
      to: [body.email],
      subject: "Verify your address",
      text: expect.stringContaining("/app/verify-email#token="),
      html: expect.stringContaining('<a href="https://tern.test/app/verify-email#token='),
    });
    expect(await rows()).toEqual([{ attempts: 1, due_at: null, erased: 1 }]);
  });

  it("goes to Resend if the secret is a token alone", async () => {
    const body = { email: newEmail(), password: PASSWORD, name: "Ann" };
    await new Browser().post("/api/auth/sign-up", body, { bindings: { MAIL_API_TOKEN: "re_123" } });
    expect(await internet.received()).toContainEqual(
      expect.objectContaining({
        url: "https://api.resend.com/emails",
        headers: expect.objectContaining({ authorization: "Bearer re_123" }),
      }),
    );
  });

  it("waits encrypted, and the cron queues it if its sender crashed", async () => {
    const sent: Queued[] = [];
    const bindings = { ...PEOPLE, DELIVERIES: queueOf(sent) };
    await internet.answers({ "mail.test": { fails: true } });
    await new Browser().post("/api/auth/sign-up", { email: newEmail(), password: PASSWORD, name: "Ann" }, { bindings });
    const content = await env.DB.prepare("SELECT content FROM mails").first<string>("content");
    expect(content).toMatch(/^test\.[\w+/=]+\.[\w+/=]+$/);
    sent.length = 0;
    const now = Date.now() + 60_000;
    expect(await queueDueMails(jobContext(now, bindings))).toBe(1);
    await internet.reset();
    expect(await consume(sent[0] as Queued, now, bindings)).toBe(true);
    expect(await takeMails()).toMatchObject([{ subject: "Verify your address" }]);
  });

  it("is leased from the present time by a run that was scheduled long ago", async () => {
    const [sent, dueAt]: [Queued[], number[]] = [[], []];
    const bindings = { ...PEOPLE, DELIVERIES: queueOf(sent) };
    await internet.answers({ "mail.test": { fails: true } });
    await new Browser().post("/api/auth/sign-up", { email: newEmail(), password: PASSWORD, name: "Ann" }, { bindings });
    await env.DB.prepare("UPDATE mails SET due_at = 0").run();
    const send = async () => void dueAt.push(Number((await rows())[0]?.["due_at"]));
    const now = Date.now();
    await consume(sent[0] as Queued, now - HOUR_MS, { ...PEOPLE, EMAIL: { send } });
    expect(dueAt).toEqual([expect.toSatisfy((at: number) => at > now)]);
  });

  it("can go through Cloudflare's binding", async () => {
    const sent: object[] = [];
    const bindings = { EMAIL: { send: async (mail: object) => void sent.push(mail) } };
    const email = newEmail();
    await new Browser().post("/api/auth/sign-up", { email, password: PASSWORD, name: "Ann" }, { bindings });
    expect(sent).toEqual([
      {
        from: "Tern <tern@tern.test>",
        to: email,
        subject: "Verify your address",
        text: expect.stringContaining("#token="),
        html: expect.any(String),
      },
    ]);
  });
});

it("the operator's invitation is sent by the cron once, and lets the person sign up", async () => {
  const { accountId } = await createAccount();
  const [email, now] = [newEmail(), Date.now()];
  await env.DB.prepare(
    "INSERT INTO invitations (id, account_id, email, email_key, role, created_at, expires_at) VALUES (?1, ?2, ?3, ?3, 'owner', ?4, ?5)",
  )
    .bind(newId(now), accountId, email, now, now + 1_000_000)
    .run();
  await runCron(now, PEOPLE);
  await runCron(now, PEOPLE);
  const mails = await takeMails();
  expect(mails).toMatchObject([{ to: email, subject: "You are invited", token: expect.stringMatching(/^[\w-]{43}$/) }]);
  const bindings = { SIGN_UP: "other.example" };
  await new Browser().post("/api/auth/sign-up", { email, password: PASSWORD, name: "Ann" }, { bindings });
  expect(await takeMails()).toMatchObject([{ to: email, subject: "Verify your address" }]);
});

it("the notice of an operator's change is written and sent by the Worker", async () => {
  const sent: Queued[] = [];
  const bindings = { ...PEOPLE, DELIVERIES: queueOf(sent) };
  const now = Date.now();
  await env.DB.prepare(
    "INSERT INTO mails (id, kind, recipient, recipient_key, due_at, created_at) VALUES (?1, 'factors_reset', 'Ann@example.com', 'ann@example.com', ?2, ?2)",
  )
    .bind(newId(now), now)
    .run();
  await runCron(now, bindings);
  const [message] = sent;
  await consume(message as Queued, now, bindings);
  expect(await takeMails()).toMatchObject([
    { to: "Ann@example.com", subject: "Your second factors were removed", token: "" },
  ]);
});
