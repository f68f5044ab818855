import { webhooks } from "@tern/sdk";
import { Argument, type Command } from "commander";
import { chooseConnection } from "../config/connection.ts";
import { action, type Context } from "../context.ts";
import { asWrongUse, RefusedError, UsageError } from "../errors.ts";
import { forward, parseReceiverUrl } from "../listen/forward.ts";
import { isInUse, listOwnListeners } from "../listen/stored-listener.ts";
import { addExamples } from "../options.ts";
import { print } from "../output/terminal.ts";
import { readStdin } from "../prompt.ts";
import { SAMPLE_EVENTS, sampleOf } from "../samples.ts";

interface TriggerOptions {
  forwardTo: string;
  secretStdin?: boolean;
}

export function addTrigger(program: Command): void {
  const command = program
    .command("trigger")
    .description("send a signed sample of an event to a URL; no webhook of the account gets it")
    .addArgument(new Argument("<event>", "the event").choices(SAMPLE_EVENTS))
    .requiredOption("--forward-to <url>", "where to send it")
    .option(
      "--secret-stdin",
      "read the secret that signs it from stdin (default: TERN_WEBHOOK_SECRET, or that of tern listen here)",
    )
    .action(action(trigger));
  addExamples(command, [
    "tern trigger link.create --forward-to http://127.0.0.1:3000/hooks/tern",
    "tern trigger link.click --forward-to http://127.0.0.1:3000 --secret-stdin < secret.txt",
  ]);
}

async function trigger(context: Context<TriggerOptions>, event: (typeof SAMPLE_EVENTS)[number]): Promise<void> {
  const { options } = context;
  const url = parseReceiverUrl(options.forwardTo);
  const secret = options.secretStdin === true ? await readSecret() : chooseSecret(options.as);
  const body = JSON.stringify(sampleOf(event, Date.now()));
  const headers = { "User-Agent": "Service-Webhook/1.0", ...(await webhooks.sign(body, secret).catch(asWrongUse)) };
  const result = await forward(url, { headers, body });
  context.show({ event, url, ...result, headers, body }, () => {
    if (result.problem === null) print(`${url} responded with ${result.status} to ${event}.`);
  });
  if (result.problem !== null) throw new RefusedError(`${url}: ${result.problem}. Is the receiver running?`);
  if (result.status >= 300) throw new RefusedError("A webhook takes this as a failure: only 2xx is a success.");
}

async function readSecret(): Promise<string> {
  const secret = (await readStdin()).toString("utf8").trim();
  if (secret === "") throw new UsageError("There is no secret on stdin.");
  return secret;
}

function chooseSecret(login: string | undefined): string {
  const variable = process.env["TERN_WEBHOOK_SECRET"];
  if (variable) return variable;
  const stored = hasConnection(login) ? listOwnListeners(chooseConnection(login)) : [];
  const listener = stored.find(isInUse) ?? stored[0];
  if (listener !== undefined) return listener.secret;
  throw new UsageError(
    "There is no secret to sign with: use --secret-stdin, set TERN_WEBHOOK_SECRET, or start tern listen first.",
  );
}

/** Without a login there is no listener either. */
function hasConnection(login: string | undefined): boolean {
  try {
    chooseConnection(login);
    return true;
  } catch {
    return false;
  }
}
