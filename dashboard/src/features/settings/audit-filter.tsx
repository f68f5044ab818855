import type { AuditKind } from "#src/access/audit/actions.ts";
import type { MemberBody } from "#src/identity/teams/schemas.ts";
import type { Query } from "../../api/client.ts";
import { cx } from "../../lib/class-names.ts";
import { startOfDay } from "../../lib/time-zone.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { InputField, Options, SelectField } from "../../ui/field.tsx";
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
      <SelectField label={filter.kind} value={view.kind} onValue={(value) => onChange({ kind: value })}>
        <option value="">{filter.allKinds}</option>
        <Options values={Object.keys(kinds) as AuditKind[]} nameOf={(kind) => kinds[kind]} />
      </SelectField>
      {account.kind === "team" && <PersonField teamId={account.id} view={view} onChange={onChange} />}
      <div className="grid grid-cols-2 gap-3 sm:contents">
        {(["from", "to"] as const).map((name) => (
          <InputField
            key={name}
            label={filter[name]}
            type="date"
            value={view[name]}
            {...(name === "from" ? { max: view.to } : { min: view.from })}
            onValue={(value) => onChange({ [name]: value })}
          />
        ))}
      </div>
    </div>
  );
}

function PersonField({ teamId, view, onChange }: FilterProps & { teamId: string }) {
  const { filter } = texts.settings.audit;
  const { items: members = [] } = useMembers(teamId);
  return (
    <SelectField label={filter.person} value={view.actor} onValue={(value) => onChange({ actor: value })}>
      <option value="">{filter.everybody}</option>
      {members.map(({ userId, name }: MemberBody) => (
        <option key={userId} value={userId}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
