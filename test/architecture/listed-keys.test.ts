import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keysOfControls } from "../../dashboard/src/shell/keys-of-controls.ts";
import { texts } from "../../dashboard/src/texts/index.ts";

// Shortcuts of `useShortcut` are in the list of keys by themselves. Controls that handle keys in the focus are added by hand.

const SOURCE = join(import.meta.dirname, "../../dashboard/src");

/** The controls with keys of their own: the page that has them, and the heading of their keys in the list. */
const CONTROLS = {
  "features/links/use-row-keys.ts": ["/links", texts.linkList.shortcuts],
  "features/analytics/timeline.tsx": ["/analytics", texts.shell.keys.timeline],
  "features/links/editor/rule-handle.tsx": ["/links", texts.editor.rules.keys.group],
} as const;

/** Text fields and choosers of one: Enter takes what was typed, and Escape empties the field, as in any other field. */
const FIELDS = [
  "features/links/search-field.tsx",
  "features/links/tag-picker.tsx",
  "features/settings/webhooks/links-field.tsx",
  "shell/palette.tsx",
];

const sourceOf = (file: string): string => readFileSync(join(SOURCE, file), "utf8");

it("lists the keys of rows on the page with the list of links, and not where operators find links", () => {
  const groupsOf = (page: string) => keysOfControls(page, () => true).map(({ group }) => group);
  expect(groupsOf("/links")).toContain(texts.linkList.shortcuts);
  expect(groupsOf("/admin/links")).not.toContain(texts.linkList.shortcuts);
});

it("knows all controls that handle keys", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(?:features|shell)\/.*\.tsx?$/.test(file),
  );
  const handling = files.filter((file) => /\bevent\.key\b/.test(sourceOf(file)));
  expect(handling.sort()).toEqual([...Object.keys(CONTROLS), ...FIELDS].sort());
});

it.each(Object.entries(CONTROLS))("lists the keys of %s", (file, [page, group]) => {
  const handled =
    sourceOf(file).match(/\b(?:Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown|Delete)\b(?=["\s]*[:)])/g) ?? [];
  expect(handled.length).toBeGreaterThan(1);
  const listed = keysOfControls(page, () => true).filter((shortcut) => shortcut.group === group);
  expect(listed.map(({ keys }) => keys)).toEqual(expect.arrayContaining([...new Set(handled)]));
});
