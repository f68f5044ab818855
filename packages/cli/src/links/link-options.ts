import type { UpdateLink } from "@tern/sdk";
import type { Command } from "commander";
import { UsageError } from "../errors.ts";
import { collect, pick, wholeNumber } from "../options.ts";
import { canAsk } from "../output/terminal.ts";
import { ask, readStdin } from "../prompt.ts";

/** The options that set fields of a link. */
export interface LinkOptions {
  slug?: string;
  domain?: string;
  title?: string;
  tag?: string[];
  startsAt?: string;
  expiresAt?: string;
  expiredUrl?: string;
  maxClicks?: number;
  externalId?: string;
  redirectStatus?: 301 | 302 | 307 | 308;
  passParameters?: boolean;
  ios?: string;
  android?: string;
  geo?: string[];
  utm?: string[];
  password?: boolean;
}

export function addLinkOptions(command: Command): Command {
  return command
    .option("--slug <slug>", "the path of the short URL")
    .option("--domain <domain>", "the host of the short URL: a verified domain of the account")
    .option("--title <title>", "a name for people")
    .option("--tag <tag>", "a tag; repeat it for several", collect)
    .option("--starts-at <time>", "when the link begins to redirect, such as 2030-01-31 or 2030-01-31T12:00Z")
    .option("--expires-at <time>", "when the link ends, such as 2030-01-31 or 2030-01-31T12:00Z")
    .option("--expired-url <url>", "where visitors go after the end")
    .option("--max-clicks <number>", "how many visits the link accepts", wholeNumber)
    .option("--external-id <id>", "your own id")
    .option("--redirect-status <status>", "301, 302, 307 or 308", wholeNumber)
    .option("--pass-parameters", "add the visitors' query parameters to the destination, which is the default")
    .option("--no-pass-parameters", "keep the visitors' query parameters off the destination, such as a signed URL")
    .option("--ios <url>", "the destination on iPhones and iPads")
    .option("--android <url>", "the destination on Android")
    .option(
      "--geo <country=url>",
      "a destination by country, such as DE=https://example.com/de; can be repeated",
      collect,
    )
    .option("--utm <name=value>", "a UTM parameter, such as source=newsletter; can be repeated", collect)
    .option("--password", "ask for a password of the link, or read it from stdin in a pipe");
}

/** Options that are the fields of their names. */
const SAME_AS_FIELDS = [
  "slug",
  "domain",
  "title",
  "startsAt",
  "expiresAt",
  "expiredUrl",
  "maxClicks",
  "externalId",
  "redirectStatus",
  "passParameters",
  "ios",
  "android",
] as const;

/** Returns the fields that were given. Asks for the password. */
export async function linkFields(options: LinkOptions): Promise<UpdateLink> {
  const { tag, geo, utm, password } = options;
  return {
    ...pick(options, SAME_AS_FIELDS),
    ...(tag !== undefined && { tags: tag }),
    ...(geo !== undefined && { geo: toPairs("--geo", geo) }),
    ...(utm !== undefined && { utm: toPairs("--utm", utm) }),
    ...(password === true && { password: await readPassword() }),
  };
}

function toPairs(option: string, texts: string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw new UsageError(`${option} ${text}: write a name, = and a value.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

async function readPassword(): Promise<string> {
  if (canAsk()) return ask("Password of the link: ", { hidden: true });
  // A password may end with spaces, but the line break is the shell's.
  return (await readStdin()).toString("utf8").replace(/\r?\n$/, "");
}
