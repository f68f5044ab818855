import { useQuery } from "@tanstack/react-query";
import { Link as RouterLink } from "@tanstack/react-router";
import { Check, Circle, X } from "lucide-react";
import type { ReactNode } from "react";
import { call } from "../../api/client.ts";
import { usageQuery } from "../../api/resources.ts";
import type { Link } from "../../api/types.ts";
import { cx } from "../../lib/class-names.ts";
import { store, useStored } from "../../lib/storage.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../../ui/button.tsx";

/** Accounts with more links have found their way. */
export const MAX_BEGINNER_LINKS = 10;

interface Step {
  label: string;
  done: boolean;
  /** Renders the label as what does the step. */
  render: (label: string) => ReactNode;
}

const STEP_LINK = "rounded-control font-semibold text-accent-strong underline underline-offset-2";

/**
 * The first steps in an account, for the person who set it up. What exists ticks them off, so nobody sees them who only
 * joined: there it is the work of others.
 */
export function GettingStarted({ links }: { links: readonly Link[] }) {
  const { account } = useSession();
  const name = `getting-started:${account.id}`;
  const isHidden = useStored(name) === "hidden";
  return isHidden || account.role !== "owner" ? null : <Steps links={links} onHide={() => store(name, "hidden")} />;
}

function Steps({ links, onHide }: { links: readonly Link[]; onHide: () => void }) {
  const { data } = useQuery(usageQuery);
  const hasInvited = useHasInvited();
  const { start } = texts.linkList;
  if (data === undefined || hasInvited === undefined) return null;
  const [newest] = links;
  const steps: Step[] = [
    {
      label: start.create,
      done: newest !== undefined,
      render: (label) => (
        <RouterLink to="/links" search={{ create: true }} className={STEP_LINK}>
          {label}
        </RouterLink>
      ),
    },
    {
      label: start.click,
      done: links.some(({ clicks }) => clicks > 0),
      render: (label) =>
        newest === undefined ? (
          label
        ) : (
          <a href={newest.shortUrl} target="_blank" rel="noreferrer" className={STEP_LINK}>
            {label}
          </a>
        ),
    },
    {
      label: start.domain,
      done: data.domains.used > 0,
      render: (label) => <SettingsLink section="domains">{label}</SettingsLink>,
    },
    {
      label: `${start.invite} ${start.orKey} ${start.key}`,
      done: data.keys.used > 0 || hasInvited,
      render: () => (
        <>
          <SettingsLink section="team">{start.invite}</SettingsLink> {start.orKey}{" "}
          <SettingsLink section="keys">{start.key}</SettingsLink>
        </>
      ),
    },
  ];
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  return (
    <section
      aria-labelledby="getting-started"
      className="mb-5 rounded-card border border-line bg-surface p-4 ps-5 shadow-card"
    >
      <header className="flex items-center gap-3">
        <h2 id="getting-started" className="font-bold">
          {start.title}
        </h2>
        <p className="flex-1 text-sm text-soft tabular">{start.done(done, steps.length)}</p>
        <IconButton size="small" label={start.dismiss} icon={<X size={16} aria-hidden />} onClick={onHide} />
      </header>
      <ol className="mt-1 grid gap-x-8 gap-y-1.5 sm:grid-cols-2">
        {steps.map((step) => (
          <li key={step.label} className="flex items-center gap-2.5">
            <StepMark done={step.done} />
            <span className={cx("min-w-0", step.done && "text-soft line-through")}>
              {step.done ? step.label : step.render(step.label)}
              {step.done && <span className="sr-only"> ({start.isDone})</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Whether the person has made a team, or has invited somebody to this one; undefined until it is known. */
function useHasInvited(): boolean | undefined {
  const { account, accounts } = useSession();
  const isTeam = account.kind === "team";
  const path = `/api/teams/${account.id}`;
  const { data } = useQuery({
    queryKey: ["has-invited", account.id],
    queryFn: async ({ signal }) => {
      const [{ members }, { invitations }] = await Promise.all([
        call<{ members: unknown[] }>("GET", `${path}/members`, { query: { limit: 2 }, signal }),
        call<{ invitations: unknown[] }>("GET", `${path}/invitations`, { query: { limit: 1 }, signal }),
      ]);
      return members.length > 1 || invitations.length > 0;
    },
    enabled: isTeam,
  });
  return isTeam ? data : accounts.some(({ kind, role }) => kind === "team" && role === "owner");
}

function SettingsLink({ section, children }: { section: "domains" | "keys" | "team"; children: string }) {
  return (
    <RouterLink to="/settings/$section" params={{ section }} className={STEP_LINK}>
      {children}
    </RouterLink>
  );
}

function StepMark({ done }: { done: boolean }) {
  return done ? (
    <span className="grid size-5 shrink-0 place-content-center rounded-full bg-good-wash text-good">
      <Check size={14} aria-hidden />
    </span>
  ) : (
    <Circle size={20} className="shrink-0 text-control" aria-hidden />
  );
}
