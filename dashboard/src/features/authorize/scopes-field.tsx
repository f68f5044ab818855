import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/field.tsx";
import type { AppRequest } from "./queries.ts";

const { scopes: field } = texts.authorize;

type Scope = AppRequest["scopes"][number];

interface ScopesFieldProps {
  /** What the app asks for and the person's role has. */
  scopes: readonly Scope[];
  chosen: readonly Scope[];
  disabled: boolean;
  onChange: (chosen: readonly Scope[]) => void;
}

/** What the app may do: each scope can be unticked, and all that write at once. */
export function ScopesField({ scopes, chosen, disabled, onChange }: ScopesFieldProps) {
  const reads = scopes.filter(({ isWriting }) => !isWriting);
  const isOnlyRead = chosen.every(({ isWriting }) => !isWriting);
  const offersRead = !isOnlyRead && reads.length > 0;
  const offersAll = isOnlyRead && chosen.length < scopes.length;
  return (
    <fieldset disabled={disabled} className="min-w-0">
      <legend className="float-start leading-8 font-semibold">{field.title}</legend>
      <div className="flex h-8 items-center justify-end">
        {(offersRead || offersAll) && (
          <Button size="small" onClick={() => onChange(offersRead ? reads : scopes)}>
            {offersRead ? field.onlyRead : field.all}
          </Button>
        )}
      </div>
      {[false, true].map((isWriting) => (
        <Group
          key={String(isWriting)}
          title={isWriting ? field.writes : field.reads}
          scopes={scopes.filter((scope) => scope.isWriting === isWriting)}
          chosen={chosen}
          onToggle={(changed, checked) =>
            onChange(scopes.filter((scope) => (scope === changed ? checked : chosen.includes(scope))))
          }
        />
      ))}
      <p role="alert" className="mt-1.5 text-sm text-bad">
        {chosen.length === 0 && field.needsOne}
      </p>
    </fieldset>
  );
}

interface GroupProps {
  title: string;
  scopes: readonly Scope[];
  chosen: readonly Scope[];
  onToggle: (scope: Scope, checked: boolean) => void;
}

function Group({ title, scopes, chosen, onToggle }: GroupProps) {
  if (scopes.length === 0) return null;
  return (
    <div role="group" aria-label={title} className="mt-2">
      <p aria-hidden className="mb-1 text-sm text-soft">
        {title}
      </p>
      <div className="grid gap-2 rounded-control border border-line px-3 py-2.5">
        {scopes.map((scope) => (
          <Checkbox
            key={scope.name}
            label={field.names[scope.name]}
            checked={chosen.includes(scope)}
            onChange={(event) => onToggle(scope, event.target.checked)}
          />
        ))}
      </div>
    </div>
  );
}
