import type { LastingAccess } from "#src/identity/teams/schemas.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { EndingList } from "../ending-list.tsx";
import { isEmpty } from "./access.ts";

interface Props {
  /** What would end. */
  ending: LastingAccess;
  /** The name of the person; null: it is the person who looks at it, and who cannot keep it. */
  name: string | null;
  ends: boolean;
  onChange: (ends: boolean) => void;
}

/** Lists what a member made that goes on without the member, and offers to end it. */
export function EndingAccess({ ending, name, ends, onChange }: Props) {
  const { title, own, kinds, end, endHint } = texts.team.access;
  if (isEmpty(ending)) return null;
  const groups: [string, string[]][] = [
    [kinds.keys, ending.keys.map((key) => key.name)],
    [kinds.webhooks, ending.webhooks.map(({ url }) => url)],
    [kinds.listeners, ending.listeners.map((_, index) => texts.team.access.listener(index + 1))],
    [kinds.sharedPages, ending.sharedPages.map((page) => page.title ?? texts.team.access.untitled)],
  ];
  return (
    <div className="grid gap-3">
      <p className="font-semibold">{name === null ? own : title(name)}</p>
      <EndingList groups={groups} />
      {name !== null && (
        <Checkbox label={end} hint={endHint} checked={ends} onChange={(event) => onChange(event.target.checked)} />
      )}
    </div>
  );
}
