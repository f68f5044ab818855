import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ROLES, type Role } from "#src/platform/auth/roles.ts";
import type { LastingAccess, MemberBody } from "#src/identity/teams/schemas.ts";
import { formatDay } from "#dashboard/lib/format.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Select } from "#dashboard/ui/field.tsx";
import { Badge, Section } from "#dashboard/ui/layout.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { useService } from "#dashboard/api/use-service.ts";
import { ListOf } from "../frame.tsx";
import { LinkDialog, type HandedLink } from "./link-dialog.tsx";
import { ResetDialog } from "./reset-dialog.tsx";
import { isLower } from "./roles.ts";
import { endingOf, isEmpty, readAccess } from "./access.ts";
import { setRole, useMembers } from "./queries.ts";
import { RemovalDialog, type Removed } from "./removal-dialog.tsx";
import { RoleDialog } from "./role-dialog.tsx";
import { Link } from "@tanstack/react-router";
import { Notice } from "#dashboard/ui/notice.tsx";

export function MembersSection({ teamId }: { teamId: string }) {
  const list = useMembers(teamId);
  const [leaving, setLeaving] = useState<MemberBody | null>(null);
  const [removed, setRemoved] = useState<Removed | null>(null);
  const [resetting, setResetting] = useState<MemberBody | null>(null);
  const [handed, setHanded] = useState<HandedLink | null>(null);
  return (
    <Section title={texts.team.members.title}>
      {removed !== null && removed.keys.length > 0 && <RemainingKeys removed={removed} />}
      <ListOf list={list} empty={null}>
        {(members) => (
          <ul className="divide-y divide-line">
            {members.map((member) => (
              <Member
                key={member.userId}
                teamId={teamId}
                member={member}
                onRemove={() => setLeaving(member)}
                onReset={() => setResetting(member)}
              />
            ))}
          </ul>
        )}
      </ListOf>
      {leaving !== null && (
        <RemovalDialog teamId={teamId} member={leaving} onClose={() => setLeaving(null)} onRemoved={setRemoved} />
      )}
      {resetting !== null && (
        <ResetDialog teamId={teamId} member={resetting} onClose={() => setResetting(null)} onMade={setHanded} />
      )}
      {handed !== null && <LinkDialog handed={handed} onClose={() => setHanded(null)} />}
    </Section>
  );
}

interface MemberProps {
  teamId: string;
  member: MemberBody;
  onRemove: () => void;
  onReset: () => void;
}

function Member({ teamId, member, onRemove, onReset }: MemberProps) {
  const { you, joined, remove, leave, ownerOnly } = texts.team.members;
  const { user, account, can } = useSession();
  const isMyself = member.userId === user.id;
  const isOutOfReach = member.role === "owner" && account.role !== "owner";
  const canReset = useService()?.mail === false && can("members:write") && isLower(member.role, account.role);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex items-center gap-2 font-semibold">
          <span className="truncate">{member.name}</span>
          {isMyself && <Badge kind="accent">{you}</Badge>}
        </p>
        <p className="text-sm text-soft [overflow-wrap:anywhere]">
          {member.email} · {joined(formatDay(member.joinedAt))}
        </p>
      </div>
      {can("members:write") && !isOutOfReach ? (
        <RoleSelect teamId={teamId} member={member} />
      ) : (
        <span title={isOutOfReach && can("members:write") ? ownerOnly : undefined}>
          <Badge>{texts.settings.roleNames[member.role]}</Badge>
        </span>
      )}
      {canReset && (
        <Button size="small" aria-label={`${texts.team.reset.open}: ${member.name}`} onClick={onReset}>
          {texts.team.reset.open}
        </Button>
      )}
      {(isMyself || can("members:write")) && (
        <Button
          size="small"
          className="min-w-24"
          aria-label={isMyself ? undefined : `${remove}: ${member.name}`}
          title={!isMyself && isOutOfReach ? ownerOnly : undefined}
          disabled={!isMyself && isOutOfReach}
          onClick={onRemove}
        >
          {isMyself ? leave : remove}
        </Button>
      )}
    </li>
  );
}

function RoleSelect({ teamId, member }: { teamId: string; member: MemberBody }) {
  const { userId, name, role } = member;
  const { role: label, changed } = texts.team.members;
  const { roles, roleNames } = texts.settings;
  const { account, user } = useSession();
  const [asked, setAsked] = useState<{ role: Role; ending: LastingAccess } | null>(null);
  const change = useMutation({
    mutationFn: async (chosen: Role) => {
      const ending = endingOf(await readAccess(teamId, userId), chosen);
      if (!isEmpty(ending)) return setAsked({ role: chosen, ending });
      await setRole(teamId, userId, chosen, true);
      // Nobody was asked what the undo may end. The API requires that one's own access ends.
      showChange(changed(name, roles[chosen]), () => setRole(teamId, userId, role, userId === user.id));
    },
    onError: showProblem,
  });
  return (
    <>
      <Select
        aria-label={label(name)}
        className="w-32!"
        value={change.isPending ? change.variables : (asked?.role ?? role)}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.target.value as Role)}
      >
        {ROLES.map((each) => (
          <option key={each} value={each} disabled={each === "owner" && account.role !== "owner"}>
            {roleNames[each]}
          </option>
        ))}
      </Select>
      {asked !== null && <RoleDialog teamId={teamId} member={member} {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Names the keys of a former member that go on. */
function RemainingKeys({ removed: { name, keys } }: { removed: Removed }) {
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
