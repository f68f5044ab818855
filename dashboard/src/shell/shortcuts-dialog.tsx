import { useRouterState } from "@tanstack/react-router";
import { Fragment } from "react";
import type { Shortcut } from "../lib/shortcut.ts";
import { areCharacters, listShortcuts, useCharacterKeys } from "../lib/shortcuts.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox } from "../ui/field.tsx";
import { Keycaps } from "../ui/keys.tsx";
import { keysOfControls } from "./keys-of-controls.ts";

/** Lists the keys of the current page and of the editor, and switches those of characters alone. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [hasCharacters, setCharacters] = useCharacterKeys();
  const { can } = useSession();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const all = [...listShortcuts(), ...keysOfControls(pathname, can)];
  const inEffect = all.filter(({ keys }) => hasCharacters || !areCharacters(keys));
  const groups = Map.groupBy(inEffect, ({ group }) => group);
  return (
    <Dialog onClose={onClose} title={texts.shell.shortcuts}>
      <div className="-mb-6 gap-x-6 sm:columns-2">
        {[...groups].map(([group, shortcuts]) => (
          <section key={group} className="mb-6 break-inside-avoid">
            <h3 className="mb-2 font-bold">{group}</h3>
            <dl className="grid gap-1.5">
              {[...keysByLabel(shortcuts)].map(([label, keys]) => (
                <div key={label} className="flex items-center justify-between gap-4">
                  <dt className="text-soft">{label}</dt>
                  <dd className="flex shrink-0 items-center gap-1.5">
                    {keys.map((each, index) => (
                      <Fragment key={each}>
                        {index > 0 && <span className="text-sm text-soft">{texts.shell.or}</span>}
                        <Keycaps keys={each} />
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="mt-6 border-t border-line pt-4">
        <Checkbox
          label={texts.shell.characterKeys.label}
          hint={texts.shell.characterKeys.hint}
          checked={hasCharacters}
          onChange={({ target }) => setCharacters(target.checked)}
        />
      </div>
    </Dialog>
  );
}

/** Several keys can do the same. Of two shortcuts with the same keys, the last one is in effect. */
function keysByLabel(shortcuts: readonly Shortcut[]): Map<string, string[]> {
  const labels = new Map(shortcuts.map(({ keys, label }) => [keys, label]));
  const byLabel = new Map<string, string[]>();
  for (const [keys, label] of labels) byLabel.set(label, [...(byLabel.get(label) ?? []), keys]);
  return byLabel;
}
