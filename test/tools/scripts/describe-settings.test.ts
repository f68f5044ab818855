import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { deploy } from "../../../tools/scripts/deploy.ts";
import { temporaryFolder } from "./support/command.ts";
import { emptyDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

test("a dry run says who may shorten and sign up, what is screened and how mails go", async () => {
  const account = new FakeWrangler(await emptyDatabase());
  let output = "";
  vi.spyOn(console, "log").mockImplementation((text: string) => void (output += `${text}\n`));
  const folder = temporaryFolder();
  const dryRun = async (settings: string) => {
    output = "";
    writeFileSync(join(folder, "deploy.toml"), settings);
    await deploy(["--url", "https://go.example", "--dry-run"], account.run, folder);
    return output.slice(output.indexOf("Strangers"));
  };
  expect(await dryRun("")).toBe(`Strangers can shorten URLs without a key (docs/abuse.md).
Only who is invited can sign up (docs/accounts.md).
Visitors of their links see the destination first, until an account claims them.
Destinations are not screened (docs/screening.md).
The destinations of links are visited, to find those that are broken (docs/destination-watch.md).
No mails are sent: links of invitations and for new passwords are passed on by hand (docs/mail.md).
`);
  const settings = (signUp: string) => `
    [vars]
    ANONYMOUS_LINKS_PER_MINUTE = "0"
    DESTINATION_WATCH = "off"
    MAIL_FROM = "Tern <a@go.example>"
    SCREENING = "on"
    SIGN_UP = "${signUp}"
  `;
  account.isLoggedIn = false;
  expect(await dryRun(settings("open"))).toBe(`Strangers cannot shorten URLs and can sign up (docs/abuse.md).
Visitors of links of new accounts see the destination first, until the account is trusted.
Destinations are compared with your entries and list files. Asked besides: Google Web Risk, if the Worker has the secret WEB_RISK_KEY (docs/screening.md).
The destinations of links are not visited (docs/destination-watch.md).
Mails are sent by the service of MAIL_API_TOKEN, from Tern <a@go.example>, if the Worker has this secret (docs/mail.md).
The secrets of the Worker could not be listed (npx wrangler login), so this does not say which of them it has.
`);
  expect(await dryRun(settings("go.example"))).toContain("Addresses at go.example can sign up, and who is invited");
  expect(await dryRun(settings("closed"))).toContain("Nobody can sign up (docs/accounts.md).");
  const bound = `${settings("")}\n[[send_email]]\nname = "EMAIL"`;
  expect(await dryRun(bound)).toContain("Mails are sent by Cloudflare Email Service, from Tern <a@go.example> (docs");
  expect(account.takeChanges()).toEqual([]);
  vi.restoreAllMocks();
});
