/** The person who invites, as the mail names them. */
interface Inviter {
  name: string;
  email: string;
}

/** The first sentence of an invitation's mail. `inviter` is null for the operator. */
export function describeInvitation(team: string, inviter: Inviter | null): string {
  const from =
    inviter === null ? "The operator of this service" : `${toPlain(inviter.name)} (${toPlain(inviter.email)})`;
  return `${from} invites you to the team “${toPlain(team)}”.`;
}

/** Invisible, and no part of a word: mail programs see no address in a text that has it in the middle. */
const WORD_JOINER = "\u2060";

/** A text that a stranger may have chosen, so that no mail program makes a link of it. */
function toPlain(text: string): string {
  return text.replaceAll(/[.:/@]/g, (mark) => mark + WORD_JOINER);
}
