import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Domain } from "#src/domains/contract.ts";
import type { OrphanVisits } from "#src/domains/orphan-visits-contract.ts";
import { DAY_MS } from "#src/limits.ts";
import { formatCount, formatDay } from "#dashboard/lib/format.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Section, Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { useOrphanVisits } from "./queries.ts";
import { ColumnHead } from "#dashboard/ui/column-head.tsx";

const words = texts.domains.orphans;
/** Rows that are shown before the person asks for all. */
const FIRST_ROWS = 10;

/** What people looked for at the domain and did not find. */
export function OrphanVisitsSection({ domain }: { domain: Domain }) {
  const { data, error, refetch } = useOrphanVisits(domain.id);
  return (
    <Section title={words.title} lead={words.lead}>
      {data === undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-24" />}
      {data !== undefined && <Paths domain={domain} visits={data.orphanVisits} />}
    </Section>
  );
}

function Paths({ domain, visits: { paths, others } }: { domain: Domain; visits: OrphanVisits }) {
  const [showsAll, setShowsAll] = useState(false);
  const rows = showsAll ? paths : paths.slice(0, FIRST_ROWS);
  return (
    <>
      {paths.length === 0 ? (
        <p className="text-soft">{words.none}</p>
      ) : (
        <table className="w-full text-start">
          <thead className="text-sm text-soft">
            <tr>
              <ColumnHead className="pe-4 pb-2">{words.path}</ColumnHead>
              <ColumnHead className="pe-4 pb-2 text-end">{words.visits}</ColumnHead>
              <ColumnHead className="pe-4 pb-2 max-md:hidden">{words.last}</ColumnHead>
              <th scope="col" className="pb-2">
                <span className="sr-only">{words.make}</span>
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-y border-line">
            {rows.map((row) => (
              <Row key={row.path} domain={domain} row={row} />
            ))}
          </tbody>
        </table>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {rows.length < paths.length && (
          <Button size="small" onClick={() => setShowsAll(true)}>
            {words.all(formatCount(paths.length))}
          </Button>
        )}
        {others > 0 && <p className="text-sm text-soft">{words.others(formatCount(others))}</p>}
      </div>
    </>
  );
}

function Row({
  domain,
  row: { path, slug, visits, lastVisitedOn },
}: {
  domain: Domain;
  row: OrphanVisits["paths"][number];
}) {
  const { can } = useSession();
  return (
    <tr>
      <td className="py-2 pe-4 [overflow-wrap:anywhere]">/{path}</td>
      <td className="py-2 pe-4 text-end tabular-nums">{formatCount(visits)}</td>
      <td className="py-2 pe-4 whitespace-nowrap text-soft max-md:hidden">{formatDay(lastVisitedOn + DAY_MS / 2)}</td>
      <td className="py-2 text-end whitespace-nowrap">
        {slug !== null && can("links:write") && (
          <Button asChild size="small">
            <Link to="/links" search={{ create: true, domain: domain.domain, slug }} aria-label={words.makeFor(path)}>
              {words.make}
            </Link>
          </Button>
        )}
      </td>
    </tr>
  );
}
