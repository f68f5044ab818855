import { expect, it } from "vitest";
import { expectNoBarriers, linkOf, ORIGIN, post } from "../support/dashboard.ts";
import { addApp, addAuthenticator, createTeam, joinTeam, newAddress, PASSWORD } from "../support/people.ts";
import { openSignedIn, openVisit, type Visit } from "../support/visits.ts";

async function invite(owner: Visit, email: string): Promise<string> {
  const teamId = await createTeam(owner.context);
  await post(owner.context, `/api/teams/${teamId}/invitations`, { email, role: "member" });
  return linkOf(email, "invitation");
}

it("joins a team with a new account, or declines", async () => {
  const owner = await openSignedIn({ name: "Olga Owner" });
  const email = newAddress();
  const { page } = await openVisit();
  await page.goto(await invite(owner, email));
  await page.getByRole("heading", { name: "Join Lighthouse" }).waitFor();
  await page.getByText("Olga Owner invites you to Lighthouse as member.").waitFor();
  await page.getByText(`Sign in as ${email}, or create an account with this address.`).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByRole("heading", { name: "Join Lighthouse" }).waitFor();
  expect(await page.getByLabel("E-mail address").inputValue()).toBe(email);
  await page.getByLabel("Your name").fill("Carl");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await expectNoBarriers(page);
  await page.keyboard.press("Enter");
  // No second mail: the invitation has proved the address.
  await page.getByText("You are a member of Lighthouse").first().waitFor();
  await page.getByRole("button", { name: /Lighthouse/ }).waitFor();

  const another = await openSignedIn({ name: "Dora" });
  const link = await invite(owner, another.person.email);
  await another.page.goto(link);
  await another.page.getByRole("button", { name: "Decline" }).click();
  await another.page.getByRole("heading", { name: "The invitation is declined" }).waitFor();
  await expectNoBarriers(another.page);
  await another.page.goto("/app/links");
  await another.page.goto(link);
  await another.page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  expect(await another.page.evaluate(() => sessionStorage.getItem("invitation"))).toBeNull();
});

it("explains an invitation for another address, and goes on with the right one", async () => {
  const owner = await openSignedIn({ name: "Olga Owner" });
  const invited = await openSignedIn({ name: "Emil" });
  const { page, person } = await openSignedIn({ name: "Fay" });
  await page.goto(await invite(owner, invited.person.email));
  await page.getByText(`This invitation is for another address than ${person.email}`).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Sign in with another address" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await expect.poll(() => page.getByLabel("E-mail address").inputValue()).toBe(invited.person.email);
  await page.getByLabel("Password", { exact: true }).fill(invited.person.password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Join the team" }).click();
  await page.getByText("You are a member of Lighthouse").first().waitFor();
});

it("says what a team that requires a second factor needs, and opens once there is one", async () => {
  const owner = await openSignedIn({ name: "Olga Owner" });
  const { page, context, person } = await openSignedIn({ name: "Gus" });
  const teamId = await createTeam(owner.context);
  await joinTeam(owner.context, teamId, { context, person }, "member");
  await addApp(owner.context);
  const changed = await owner.context.request.patch(`/api/teams/${teamId}`, {
    data: { requireMfa: true },
    headers: { Origin: ORIGIN },
  });
  expect(changed.status(), await changed.text()).toBe(200);

  await page.goto("/app/links");
  await page.getByRole("button", { name: /Gus/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Lighthouse" }).click();
  await page.getByRole("heading", { name: "Lighthouse needs a second factor" }).waitFor();
  await expectNoBarriers(page);
  await addAuthenticator(page);
  await page.getByRole("link", { name: "Add a second factor" }).click();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByLabel("I have kept them").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "Links" }).first().click();
  await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
  expect(await page.getByText("needs a second factor").count()).toBe(0);
});

it("asks a session for the second factor that was added in another browser", async () => {
  const owner = await openSignedIn({ name: "Olga Owner" });
  const { page, context, person } = await openSignedIn({ name: "Gus" });
  const teamId = await createTeam(owner.context);
  await joinTeam(owner.context, teamId, { context, person }, "member");
  const other = await openVisit();
  await post(other.context, "/api/auth/sign-in", { email: person.email, password: person.password }, 200);
  const { app } = await addApp(other.context);
  await addApp(owner.context);
  const data = { requireMfa: true };
  await owner.context.request.patch(`/api/teams/${teamId}`, { data, headers: { Origin: ORIGIN } });

  await page.goto("/app/links");
  await page.getByRole("button", { name: /Gus/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Lighthouse" }).click();
  await page.getByText("You have one, and have not given it in this browser").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Give the second factor" }).click();
  await page.getByLabel("Code of your authenticator app").fill(app());
  await page.keyboard.press("Enter");
  await page.getByText("needs a second factor").waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Links", exact: true }).waitFor();
});
