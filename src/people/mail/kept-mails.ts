import type { ServiceContext } from "../../context.ts";
import { openLetter } from "./send.ts";
import { listKeptMails } from "./store.ts";

/** The mails that are kept, newest first. */
export async function readKeptMails({ env }: ServiceContext) {
  const mails = await listKeptMails(env.DB);
  return Promise.all(
    mails.map(async ({ id, recipient, content, created_at: createdAt }) => {
      const { subject, link } = await openLetter(env, id, content);
      return { to: recipient, subject, link, createdAt };
    }),
  );
}
