import { expect, test } from "vitest";
import { hashToken } from "../../../src/platform/lib/token.ts";
import { remoteAccounts } from "./support/account-command.ts";

const tokensIn = (output: string) => [...output.matchAll(/#token=([\w-]{43})$/gm)].map(([, token = ""]) => token);

test("sign-in prints a link to sign in and one for a new password, ends older ones, and tells the person and the records", async () => {
  const { database, manage } = await remoteAccounts();
  const addUser =
    "INSERT INTO users VALUES ('u', 'Ann@example.com', 'ann@example.com', 'Ann', 'scrypt', 1, '', NULL, NULL)";
  const addAccount = "INSERT INTO accounts (uuid, name, created_at, personal_user_id) VALUES ('a', 'Ann', 1, 'u')";
  await database.batch([database.prepare(addUser), database.prepare(addAccount)]);
  await database.prepare("UPDATE installation SET origin = 'https://go.example'").run();
  expect(await manage("sign-in", "ann@example.com")).toContain("https://go.example/app/sign-in#token=");
  await database.prepare("UPDATE installation SET origin = ''").run();
  const output = await manage("sign-in", "ANN@example.com");
  expect(output).toContain("<URL of the service>/app/sign-in#token=");
  expect(output).toContain("<URL of the service>/app/reset-password#token=");
  const [signIn = "", reset = ""] = tokensIn(output);
  const rows = async (sql: string) => (await database.prepare(sql).all()).results;
  expect(
    await rows(
      "SELECT hash, purpose, subject, payload, (expires_at - created_at) / 60000 AS minutes FROM tokens ORDER BY purpose",
    ),
  ).toEqual([
    { hash: await hashToken(reset), purpose: "reset_password", subject: "u", payload: "{}", minutes: 60 },
    { hash: await hashToken(signIn), purpose: "sign_in_link", subject: "u", payload: '{"by":"operator"}', minutes: 15 },
  ]);
  expect(await rows("SELECT DISTINCT account_id, actor_type, actor_id, action, target_id FROM audit_entries")).toEqual([
    { account_id: 1, actor_type: "operator", actor_id: null, action: "user.sign_in_link", target_id: "u" },
  ]);
  expect(await rows("SELECT DISTINCT action, subject FROM operator_entries")).toEqual([
    { action: "person.sign_in_link", subject: "u" },
  ]);
  expect(await rows("SELECT DISTINCT kind, recipient FROM mails")).toEqual([
    { kind: "sign_in_link_made", recipient: "Ann@example.com" },
  ]);
  await expect(manage("sign-in", "bob@example.com")).rejects.toThrow("No person has the address bob@example.com.");
  expect(await rows("SELECT count(*) AS n FROM tokens")).toEqual([{ n: 2 }]);
});
