import { expect, it } from "vitest";
import { newClient } from "../support/addresses.ts";
import { expectNoBarriers, ORIGIN, post } from "../support/dashboard.ts";
import { createLinks, row, uniqueName } from "../support/link-list.ts";
import { openSignedIn } from "../support/visits.ts";

it("shows who created links, and filters by it", async () => {
  const { page, context } = await openSignedIn();
  const name = uniqueName();
  await createLinks(context, [{ slug: `${name}a` }]);
  const { key } = (await post(context, "/api/keys", { name: "Robot" })) as { key: { value: string } };
  const response = await fetch(new URL("/api/links", ORIGIN), {
    method: "POST",
    headers: { ...newClient(), Authorization: `Bearer ${key.value}`, "Content-Type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/", slug: `${name}b` }),
  });
  expect(response.status).toBe(201);
  await page.goto("/app/links");
  await row(page, `${name}a`).waitFor();

  await page.getByRole("button", { name: "Display" }).click();
  await page.getByRole("checkbox", { name: "Created by" }).check();
  await page.keyboard.press("Escape");
  await row(page, `${name}b`).getByText("Key “Robot”").waitFor();
  await expectNoBarriers(page);

  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("checkbox", { name: "Key “Robot”" }).check();
  await row(page, `${name}a`).waitFor({ state: "detached" });
  await expectNoBarriers(page);
  await page.getByText("Is not", { exact: true }).click();
  await row(page, `${name}b`).waitFor({ state: "detached" });
  await row(page, `${name}a`).waitFor();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("button", { name: "Remove filter Not created by: Key “Robot”" }).click();
  await row(page, `${name}b`).waitFor();
});
