// Redirects load this module, and not those that hash passwords.

/** Random bytes of a tag. */
export const TAG_BYTES = 12;
/** The base64 of {@link TAG_BYTES}. Neither it nor a key's id contains a dot. */
const TAG_CHARS = 16;

/** The tag of a stored password (src/platform/lib/password.ts). It identifies the password and is useless for guessing it. */
export function tagOf(hash: string): string {
  return hash.split(".")[1] ?? "";
}

/** SQL for {@link tagOf}. */
export function tagSql(hash: string): string {
  return `substr(${hash}, instr(${hash}, '.') + 1, ${TAG_CHARS})`;
}
