import type { ServiceContext } from "../context.ts";
import type { Batch } from "../database/batch.ts";
import type { Condition } from "../database/parameters.ts";
import { unavailable } from "../http/errors.ts";
import { open, seal } from "../lib/encryption.ts";
import { describeError, log } from "../lib/log.ts";
import { newId } from "../lib/uuid.ts";
import { mailEnd } from "./ends.ts";
import { writeLetter, type Letter, type LetterOptions, type MailKind } from "./messages.ts";
import * as store from "./store.ts";
import { MAIL_RETRY_STEPS_MS } from "./limits.ts";
import { listKeptMails } from "./store.ts";

/** A queue message: this mail is to be sent. */
export interface MailMessage {
  kind: "mail";
  mailId: string;
}

/** Whether mails can be sent. */
export function canSendMail({ env, baseUrl }: ServiceContext): boolean {
  return typeof mailEnd(env, baseUrl) !== "string";
}

/** Throws a 503 if no mail can be sent, for requests that are useless without their mail. */
export function requireMail({ env, baseUrl }: ServiceContext): void {
  const end = mailEnd(env, baseUrl);
  if (typeof end === "string") throw unavailable("no_mail", { value: end });
}

/**
 * Writes a mail in the language of the person, else in that of the request. A token is encrypted until the mail is sent. Where no
 * mail can be sent, only its kind is stored: the person reads notices in the dashboard.
 */
export async function prepareMail(
  context: ServiceContext,
  kind: MailKind,
  recipient: string,
  options?: LetterOptions,
): Promise<store.NewMail> {
  const { env, db, now, baseUrl, readLanguage } = context;
  const id = newId(now);
  if (!canSendMail(context)) return { id, kind, recipient, content: null };
  const language = (await store.findLanguage(db, recipient)) ?? readLanguage?.() ?? "en";
  const letter = await writeLetter(kind, language, baseUrl, options);
  return { id, kind, recipient, content: await seal(env.ENCRYPTION_KEYS, JSON.stringify(letter), contextOf(id)) };
}

/** The same mail, which is never sent: a write takes time, and a stranger must not see whether there is one. */
export function toUnsent(mail: store.NewMail): store.NewMail {
  return { ...mail, content: null };
}

/** Adds a mere notice to the batch of the change that it reports, and returns its id for {@link deliverMails}. */
export async function addNotice(
  batch: Batch,
  context: ServiceContext,
  kind: MailKind,
  recipient: string,
  condition?: Condition,
): Promise<string> {
  const mail = await prepareMail(context, kind, recipient);
  store.addMail(batch, mail, context.now, condition);
  return mail.id;
}

/** Sends the mails after the response, those of them that were stored. */
export function deliverMails(context: ServiceContext, ...ids: string[]): void {
  // The pause lets the response leave first, so that its time does not tell whether a mail was sent.
  for (const id of ids) context.waitUntil(scheduler.wait(0).then(() => attemptMail(context, id)));
}

/** Sends a mail if it is due. Never throws: a mail that fails is tried again by the queue, or else by the cron. */
async function attemptMail(context: ServiceContext, id: string): Promise<void> {
  const { env, db, baseUrl } = context;
  let mail: store.DueMail | null = null;
  try {
    mail = await store.claimMail(db, id, context.now);
    if (mail === null) return;
    const end = mailEnd(env, baseUrl);
    if (typeof end === "string") throw new Error(end);
    // The operator's commands cannot encrypt, so they leave the writing of a notice to the Worker.
    const letter = mail.content === null ? await writeNotice(context, mail) : await openLetter(env, id, mail.content);
    await end.send({ id, to: mail.recipient, ...letter });
    await store.finishMail(db, id, end.keepsContent);
  } catch (error) {
    log("warn", "mail_failed", { mailId: id, kind: mail?.kind, attempts: mail?.attempts, ...describeError(error) });
    if (mail !== null) await retryMail(context, mail).catch(ignoreUntilCron);
  }
}

/** A notice that is written when it is sent: no request of the person is its cause. */
async function writeNotice({ db, baseUrl }: ServiceContext, { kind, recipient }: store.DueMail): Promise<Letter> {
  return writeLetter(kind, (await store.findLanguage(db, recipient)) ?? "en", baseUrl);
}

/** The letter of a stored mail. */
async function openLetter(env: Env, id: string, content: string): Promise<Letter> {
  return JSON.parse(await open(env.ENCRYPTION_KEYS, content, contextOf(id))) as Letter;
}

async function retryMail({ env, db, now }: ServiceContext, { id, kind, attempts }: store.DueMail): Promise<void> {
  const delayMs = MAIL_RETRY_STEPS_MS[attempts - 1];
  if (delayMs === undefined) {
    log("error", "mail_given_up", { mailId: id, kind, attempts });
    return store.finishMail(db, id, false);
  }
  await store.postponeMail(db, id, now + delayMs);
  await queueMail(env, id, delayMs);
}

/** The lease of the mail ends, and then the cron queues it again. */
function ignoreUntilCron(error: unknown): void {
  log("warn", "mail_retry_failed", describeError(error));
}

async function queueMail(env: Env, mailId: string, delayMs: number): Promise<void> {
  const message: MailMessage = { kind: "mail", mailId };
  await env.DELIVERIES.send(message, delayMs === 0 ? {} : { delaySeconds: Math.ceil(delayMs / 1_000) });
}

/** Consumes messages of the queue. */
export async function consumeMails(messages: readonly Message<MailMessage>[], context: ServiceContext): Promise<void> {
  await Promise.all(
    messages.map(async (message) => {
      await attemptMail(context, message.body.mailId);
      message.ack();
    }),
  );
}

/** Queues mails that are due and that no message will send. Returns their number. They wait while no mail can be sent. */
export async function queueDueMails(context: ServiceContext): Promise<number> {
  const { env, db, now } = context;
  if (!canSendMail(context)) return 0;
  const ids = await store.listDueMails(db, now);
  for (const id of ids) await queueMail(env, id, 0);
  return ids.length;
}

function contextOf(id: string): string {
  return `mail ${id}`;
}

/** The mails that are kept, newest first. */
export async function readKeptMails({ env, db }: ServiceContext) {
  const mails = await listKeptMails(db);
  return Promise.all(
    mails.map(async ({ id, recipient, content, created_at: createdAt }) => {
      const { subject, link } = await openLetter(env, id, content);
      return { to: recipient, subject, link, createdAt };
    }),
  );
}
