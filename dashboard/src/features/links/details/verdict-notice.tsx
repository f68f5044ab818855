import { useQuery } from "@tanstack/react-query";
import { Link as RouterLink } from "@tanstack/react-router";
import type { AppealedTakedown } from "#src/safety/appeals/contract.ts";
import { call } from "#dashboard/api/client.ts";
import type { Link } from "#dashboard/api/types.ts";
import { formatMoment } from "#dashboard/lib/format.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { TEXT_LINK } from "#dashboard/ui/open-layout.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";

const words = texts.linkDetails;

/** Why visitors see the destination first, or do not reach it, since when, and what can be done about it. */
export function VerdictNotice({ link }: { link: Link }) {
  const { state, reason, since } = link.verdict;
  const { can } = useSession();
  if (state === "allowed") return null;
  const title = reason === null ? words.verdict[state] : `${words.verdict[state]} ${words.verdictReasons[reason]}`;
  return (
    <Notice kind="warn" className="mb-6" title={title}>
      {since !== null && <p className="text-sm text-soft">{words.verdictSince(formatMoment(since))}</p>}
      {state === "warned" && <p className="mt-1">{words.decidedByCheck}</p>}
      {state === "blocked" &&
        (can("audit:read") ? <Takedowns link={link} /> : <p className="mt-1">{words.askOwner}</p>)}
    </Notice>
  );
}

/** What operators say, and the way to the appeal; without a takedown, screening has blocked the link. */
function Takedowns({ link: { id } }: { link: Link }) {
  const { can } = useSession();
  const { data, isPending } = useQuery({
    queryKey: ["takedowns", id],
    queryFn: ({ signal }) =>
      call<{ takedowns: AppealedTakedown[] }>("GET", "/api/account/takedowns", { query: { linkId: id }, signal }),
  });
  if (isPending) return null;
  // The settings say it too, if the takedowns cannot be read here.
  if (data === undefined) return <TakedownsLink label={texts.settings.sections.takedowns} />;
  if (data.takedowns.length === 0) return <p className="mt-1">{words.decidedByCheck}</p>;
  const mayAppeal = can("account:write") && data.takedowns.some(({ appeal }) => appeal === null);
  return (
    <>
      {data.takedowns.map(({ takedown, appeal }) => (
        <div key={takedown.id} className="mt-2 [overflow-wrap:anywhere]">
          {takedown.kind !== "link" && (
            <p>
              {texts.takedowns.kinds[takedown.kind]}: <bdi>{takedown.value}</bdi>
            </p>
          )}
          {takedown.statement !== null && <p dir="auto">{words.operatorSays(takedown.statement)}</p>}
          {appeal !== null && (
            <p>{appeal.decision === null ? texts.takedowns.waiting : texts.takedowns.decisions[appeal.decision]}</p>
          )}
        </div>
      ))}
      <TakedownsLink label={mayAppeal ? words.appeal : texts.settings.sections.takedowns} />
    </>
  );
}

function TakedownsLink({ label }: { label: string }) {
  return (
    <p className="mt-2">
      <RouterLink to="/settings/$section" params={{ section: "takedowns" }} className={TEXT_LINK}>
        {label}
      </RouterLink>
    </p>
  );
}
