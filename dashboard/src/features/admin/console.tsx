import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { call } from "../../api/client.ts";
import { Badge, Page, Skeleton } from "../../ui/layout.tsx";
import { Accounts } from "./accounts.tsx";
import { Appeals } from "./appeals.tsx";
import { FoundLinks } from "./found-links.tsx";
import { Hosts } from "./hosts.tsx";
import { OperatorRecord } from "./record.tsx";
import { Reports } from "./reports.tsx";
import { Screening } from "./screening.tsx";
import { ServiceStatus } from "./status.tsx";
import { Takedowns } from "./takedowns.tsx";
import { consoleTexts } from "./texts.ts";

const SECTIONS = {
  reports: Reports,
  appeals: Appeals,
  takedowns: Takedowns,
  links: FoundLinks,
  accounts: Accounts,
  hosts: Hosts,
  screening: Screening,
  status: ServiceStatus,
  record: OperatorRecord,
};
type Name = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as Name[];

/** What operators decide, and what they did. */
export function Console() {
  const { section } = useParams({ strict: false });
  const current = NAMES.find((name) => name === section) ?? "reports";
  const Section = SECTIONS[current];
  const { title, lead } = consoleTexts;
  return (
    <Page title={title} lead={lead} actions={<Health />}>
      <Navigation current={current} />
      <Section />
    </Page>
  );
}

/** The sections in one line. Where it is too narrow for all, it scrolls to the one that is open. */
function Navigation({ current }: { current: Name }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const shown = list.current?.children[NAMES.indexOf(current)]?.getBoundingClientRect();
    const room = list.current?.getBoundingClientRect();
    if (shown === undefined || room === undefined) return;
    list.current?.scrollBy({ left: shown.left + shown.width / 2 - (room.left + room.width / 2) });
  }, [current]);
  const { navigation, sections } = consoleTexts;
  return (
    <nav aria-label={navigation} className="mb-5">
      <ul ref={list} className="-my-1 flex gap-1 overflow-x-auto py-1 ps-0.5 fade-edges">
        {NAMES.map((name) => (
          <li key={name}>
            <Link
              to="/admin/$section"
              params={{ section: name }}
              aria-current={name === current ? "page" : undefined}
              className="inline-block rounded-control px-3 py-1.5 font-semibold whitespace-nowrap text-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-wash aria-[current=page]:text-accent-strong"
            >
              {sections[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Health() {
  const { data, isError } = useQuery({
    queryKey: ["admin", "health"],
    queryFn: ({ signal }) => call<{ status: "ok" | "failed" }>("GET", "/api/health", { signal }),
    retry: false,
  });
  if (data === undefined && !isError) return <Skeleton className="h-5 w-28" />;
  const isGood = data?.status === "ok";
  return <Badge kind={isGood ? "good" : "bad"}>{isGood ? consoleTexts.service.ok : consoleTexts.service.failed}</Badge>;
}
