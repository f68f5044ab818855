import type { Command } from "commander";
import { createClient } from "../client.ts";
import { chooseConnection } from "../config/connection.ts";
import { action, type Context } from "../context.ts";
import { addExamples, pick } from "../options.ts";
import { isTerminal, note, paintNote, print } from "../output/terminal.ts";
import { formatTime } from "../output/text.ts";

interface ShortenOptions {
  slug?: string;
}

export function addShorten(program: Command): void {
  addExamples(
    program
      .command("shorten")
      .description("make a short URL and print it")
      .argument("<url>", "the destination")
      .option("--slug <slug>", "the path of the short URL; random without it")
      .action(action(shorten)),
    [
      "tern shorten https://example.com/a/long/address",
      "tern shorten https://example.com/spring --slug spring-26",
      "tern shorten https://example.com/ | pbcopy",
    ],
  );
}

async function shorten(context: Context<ShortenOptions>, url: string): Promise<void> {
  const client = createClient(chooseConnection(context.options.as));
  const result = await client.links.shorten({ url, ...pick(context.options, ["slug"]) });
  context.show(result, () => {
    print(result.shortUrl);
    if (!isTerminal()) return;
    note(paintNote("dim", `leads to ${result.link.url}`));
    const { expiresAt } = result.link;
    if (expiresAt !== null) note(paintNote("dim", `until ${formatTime(expiresAt, true)}`));
  });
}
