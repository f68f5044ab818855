/** What an installation has for its mails. */
export interface MailSetup {
  /** The binding `EMAIL`. */
  hasBinding: boolean;
  /** The secret `MAIL_API_TOKEN`. */
  hasToken: boolean;
  /** `MAIL_FROM`. */
  from: string;
  /** Whether its URL is on this machine. */
  isLocal: boolean;
}

/** How mails are sent: by the binding, else by the API of the token, else they are kept in the outbox of this machine. */
export type MailWay = "binding" | "token" | "outbox";

/** Returns the way that is set up, or the names of what the operator must set besides. */
export function findMailWay({ hasBinding, hasToken, from, isLocal }: MailSetup): MailWay | { missing: string } {
  if (!hasBinding && !hasToken) return isLocal ? "outbox" : { missing: "EMAIL or MAIL_API_TOKEN" };
  if (from === "") return { missing: "MAIL_FROM" };
  return hasBinding ? "binding" : "token";
}
