import { expect, it } from "vitest";
import { createLink, expectNoBarriers, ORIGIN, post, tokenOf } from "../support/dashboard.ts";
import { row, uniqueName } from "../support/link-list.ts";
import { createTeam, joinTeam, newAddress } from "../support/people.ts";
import { openSignedIn } from "../support/visits.ts";

it("says when an invitation ends as long as it lasts", async () => {
  const { page, context } = await openSignedIn();
  const teamId = await createTeam(context);
  await page.addInitScript((id) => sessionStorage.setItem("account", id), teamId);
  await page.goto("/app/settings/team");
  await page.getByLabel("E-mail address").fill(newAddress());
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByText("in 7 days").waitFor();
});

it("ticks no first steps off for a person who only joined a team", async () => {
  const owner = await openSignedIn({ name: "Olga Owner" });
  const teamId = await createTeam(owner.context);
  const slug = uniqueName();
  await owner.page.goto("/app/links");
  await owner.page.getByRole("button", { name: /Olga/ }).click();
  await owner.page.getByRole("menuitemcheckbox", { name: "Lighthouse" }).click();
  await owner.page.getByRole("button", { name: /Lighthouse/ }).waitFor();
  await owner.context.request.post("/api/links", {
    data: { url: "https://example.com/", slug },
    headers: { Origin: new URL(owner.page.url()).origin, "X-Account-Id": teamId },
  });
  const { page, context, person } = await openSignedIn({ name: "Gus" });
  await post(owner.context, `/api/teams/${teamId}/invitations`, { email: person.email, role: "member" });
  await owner.page.reload();
  // The owner has made a link and invited somebody.
  await owner.page.getByText("2 of 4 done").waitFor();

  const token = await tokenOf(person.email, "invitation");
  await post(context, "/api/teams/invitations/accept", { token }, 200);
  const ownSlug = uniqueName();
  await createLink(context, { slug: ownSlug });
  await page.goto("/app/links");
  await row(page, ownSlug).waitFor();
  await page.getByText("1 of 4 done").waitFor();
  await page.getByRole("button", { name: /Gus/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Lighthouse" }).click();
  await row(page, slug).waitFor();
  expect(await page.getByRole("heading", { name: "Getting started" }).count()).toBe(0);
});

it("tells a member who was removed that they no longer belong to the team, and where to go", async () => {
  const owner = await openSignedIn({ name: "Olga Owner" });
  const teamId = await createTeam(owner.context);
  const { page, context, person } = await openSignedIn({ name: "Gus" });
  await joinTeam(owner.context, teamId, { context, person }, "member");
  await page.goto("/app/links");
  await page.getByRole("button", { name: /Gus/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Lighthouse" }).click();
  await page.getByRole("button", { name: /Lighthouse/ }).waitFor();

  const { user } = (await (await context.request.get("/api/auth/session")).json()) as { user: { id: string } };
  const removed = await owner.context.request.delete(`/api/teams/${teamId}/members/${user.id}`, {
    headers: { Origin: ORIGIN },
  });
  expect(removed.status()).toBe(200);
  await page.getByRole("link", { name: "Analytics" }).first().click();
  await page.getByRole("heading", { name: "You are no longer a member of Lighthouse" }).waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Go to my own account" }).click();
  await page.getByRole("button", { name: /Gus/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Gus" }).waitFor();
  expect(await page.getByRole("menuitemcheckbox", { name: "Lighthouse" }).count()).toBe(0);
});
