import type { AuditKind } from "#src/audit/actions.ts";
import type { MemberBody } from "#src/teams/schemas.ts";
import type { Query } from "../../api/client.ts";
import { cx } from "../../lib/class-names.ts";
import { startOfDay } from "../../lib/time-zone.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Field, Input, Select } from "../../ui/field.tsx";
import { useMembers } from "./team/queries.ts";

/** What the audit log shows. Empty texts: all. */
export interface AuditView {
  kind: string;
  actor: string;
  from: string;
  to: string;
}

export const ALL_ENTRIES: AuditView = { kind: "", actor: "", from: "", to: "" };

export const auditQuery = ({ kind, actor, from, to }: AuditView): Query => ({
  ...(kind !== "" && { action: kind }),
  ...(actor !== "" && { actor }),
  ...(isWhole(from) && { createdAfter: startOfDay(from) }),
  ...(isWhole(to) && { createdBefore: startOfDay(to, 1) }),
});

/** While a year is typed, the field has dates such as 0202-01-05. */
const isWhole = (day: string): boolean => day >= "1970";

interface FilterProps {
  view: AuditView;
  onChange: (changes: Partial<AuditView>) => void;
}

export function AuditFilter({ view, onChange }: FilterProps) {
  const { filter, kinds } = texts.settings.audit;
  const { account } = useSession();
  return (
    <div
      className={cx("mb-4 grid gap-3", account.kind === "team" ? "sm:grid-cols-2 lg:grid-cols-4" : "sm:grid-cols-3")}
    >
      <Field label={filter.kind}>
        {(control) => (
          <Select {...control} value={view.kind} onChange={({ target }) => onChange({ kind: target.value })}>
            <option value="">{filter.allKinds}</option>
            {(Object.keys(kinds) as AuditKind[]).map((kind) => (
              <option key={kind} value={kind}>
                {kinds[kind]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {account.kind === "team" && <PersonField teamId={account.id} view={view} onChange={onChange} />}
      <div className="grid grid-cols-2 gap-3 sm:contents">
        {(["from", "to"] as const).map((name) => (
          <Field key={name} label={filter[name]}>
            {(control) => (
              <Input
                {...control}
                type="date"
                value={view[name]}
                {...(name === "from" ? { max: view.to } : { min: view.from })}
                onChange={({ target }) => onChange({ [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </div>
  );
}

function PersonField({ teamId, view, onChange }: FilterProps & { teamId: string }) {
  const { filter } = texts.settings.audit;
  const { items: members = [] } = useMembers(teamId);
  return (
    <Field label={filter.person}>
      {(control) => (
        <Select {...control} value={view.actor} onChange={({ target }) => onChange({ actor: target.value })}>
          <option value="">{filter.everybody}</option>
          {members.map(({ userId, name }: MemberBody) => (
            <option key={userId} value={userId}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
