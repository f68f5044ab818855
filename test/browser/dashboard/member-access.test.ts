import { expect, it } from "vitest";
import { newClient } from "../support/addresses.ts";
import { expectNoBarriers, ORIGIN } from "../support/dashboard.ts";
import { createTeam, joinTeam } from "../support/people.ts";
import { openSignedIn, type Visit } from "../support/visits.ts";

/** A team with an admin, who has made a key, a webhook and a shared page there. */
async function makeTeam() {
  const owner = await openSignedIn({ name: "Olga Owner" });
  const teamId = await createTeam(owner.context);
  const admin = await openSignedIn({ name: "Gus Hill" });
  await joinTeam(owner.context, teamId, admin, "admin");
  const create = async (path: string, data: object) => {
    const headers = { Origin: ORIGIN, "X-Account-Id": teamId };
    const response = await admin.context.request.post(path, { data, headers });
    expect(response.status()).toBe(201);
    return (await response.json()) as Record<string, { id: string; value: string }>;
  };
  const { key } = await create("/api/keys", { name: "Robot" });
  await create("/api/webhooks", { url: "https://example.com/hook", events: ["link.create"] });
  const { link } = await create("/api/links", { url: "https://example.com/" });
  await create("/api/shared-pages", { linkId: link?.id, title: "Spring sale" });
  await openTeam(owner, teamId);
  const statusOfKey = async () => {
    const headers = { ...newClient(), Authorization: `Bearer ${key?.value}` };
    return (await fetch(`${ORIGIN}/api/links`, { headers })).status;
  };
  return { ...owner, statusOfKey };
}

async function openTeam({ page }: Visit, id: string) {
  await page.addInitScript((account) => sessionStorage.setItem("account", account), id);
  await page.goto("/app/settings/team");
  await page.getByText("Gus Hill", { exact: true }).waitFor();
}

it("lists what a member made before the removal, and ends it unless that is unticked", async () => {
  const { page, statusOfKey } = await makeTeam();
  await page.getByRole("button", { name: "Remove: Gus Hill" }).click();
  const dialog = page.getByRole("dialog");
  for (const text of ["Robot", "https://example.com/hook", "Spring sale"]) await dialog.getByText(text).waitFor();
  expect(await dialog.getByLabel("End all of this").isChecked()).toBe(true);
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Gus Hill is no member any more", { exact: true }).waitFor();
  expect(await statusOfKey()).toBe(401);
});

it("asks before a lower role ends what the member made, and keeps it if that is unticked", async () => {
  const { page, statusOfKey } = await makeTeam();
  await page.getByLabel("Role of Gus Hill").selectOption("member");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Robot").waitFor();
  // A member may have shared pages.
  expect(await dialog.getByText("Spring sale").count()).toBe(0);
  await dialog.getByLabel("End all of this").uncheck();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await page.getByText("Gus Hill is member now", { exact: true }).waitFor();
  expect(await statusOfKey()).toBe(200);
  // Nobody is asked when a change is undone, so that ends nothing either.
  await page.getByLabel("Role of Gus Hill").selectOption("admin");
  await page.getByText("Gus Hill is admin now", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(() => page.getByLabel("Role of Gus Hill").inputValue()).toBe("member");
  expect(await statusOfKey()).toBe(200);
  await page.getByLabel("Role of Gus Hill").selectOption("viewer");
  await dialog.getByText("Spring sale").waitFor();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await page.getByText("Gus Hill is viewer now", { exact: true }).waitFor();
  expect(await statusOfKey()).toBe(401);
});

it.each([1440, 390])("leads a viewer to no page that refuses the role (%i px)", async (width) => {
  const owner = await openSignedIn({ name: "Olga Owner" });
  const teamId = await createTeam(owner.context);
  const viewer = await openSignedIn({ name: "Vic Viewer", width });
  await joinTeam(owner.context, teamId, viewer, "viewer");
  const { page } = viewer;
  await page.addInitScript((account) => sessionStorage.setItem("account", account), teamId);
  await page.goto("/app/links");
  await page.getByRole("heading", { name: "No links yet" }).waitFor();
  expect(
    await page
      .getByRole("navigation")
      .getByRole("link", { name: /Import/ })
      .count(),
  ).toBe(0);
  await page.keyboard.press("?");
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await shortcuts.getByText("Analytics").first().waitFor();
  expect(await shortcuts.getByText(/Import/).count()).toBe(0);
  await page.keyboard.press("Escape");
  await shortcuts.waitFor({ state: "detached" });

  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search" });
  await palette.getByRole("option", { name: "Deleted links" }).waitFor();
  const names = await palette.getByRole("option").allInnerTexts();
  expect(names.filter((name) => /Import|Create link/.test(name))).toEqual([]);
  await page.keyboard.press("Escape");
  for (const name of names.filter((each) => !/API reference|shortcuts|Sign out|Colours|Vic Viewer/.test(each))) {
    await page.keyboard.press("Control+k");
    await palette.getByRole("option", { name, exact: true }).click();
    await palette.waitFor({ state: "detached" });
    await page
      .getByRole("heading", { level: 1 })
      .or(page.getByRole("heading", { level: 2 }))
      .first()
      .waitFor();
    expect(await page.getByText(/Your role (cannot|does not include)/).count(), name).toBe(0);
  }
});
