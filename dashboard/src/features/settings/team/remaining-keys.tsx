import { Link } from "@tanstack/react-router";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";
import type { Removed } from "./removal-dialog.tsx";

/** Names the keys of a former member that go on. */
export function RemainingKeys({ removed: { name, keys } }: { removed: Removed }) {
  const { keysTitle, keysText, keys: openKeys } = texts.team.removal;
  return (
    <Notice
      kind="warn"
      className="mb-4"
      title={keysTitle(name)}
      action={
        <Button size="small" asChild>
          <Link to="/settings/$section" params={{ section: "keys" }}>
            {openKeys}
          </Link>
        </Button>
      }
    >
      <p>{keys.map((key) => key.name).join(", ")}</p>
      <p className="text-soft">{keysText}</p>
    </Notice>
  );
}
