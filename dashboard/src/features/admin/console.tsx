import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { texts } from "../../texts/index.ts";
import { Badge, Page } from "../../ui/layout.tsx";
import { Accounts } from "./accounts.tsx";
import { Appeals } from "./appeals.tsx";
import { FoundLinks } from "./found-links.tsx";
import { Hosts } from "./hosts.tsx";
import { OperatorRecord } from "./record.tsx";
import { Reports } from "./reports.tsx";
import { Screening } from "./screening.tsx";
import { ServiceStatus } from "./status.tsx";
import { Takedowns } from "./takedowns.tsx";

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

/** What operators decide, and what they did. */
export function Console() {
  const { section } = useParams({ strict: false });
  const current = (Object.keys(SECTIONS) as Name[]).find((name) => name === section) ?? "reports";
  const Section = SECTIONS[current];
  const { title, lead, navigation, sections } = texts.admin;
  return (
    <Page title={title} lead={lead} actions={<Health />}>
      <nav aria-label={navigation} className="mb-5">
        <ul className="flex flex-wrap gap-1">
          {(Object.keys(SECTIONS) as Name[]).map((name) => (
            <li key={name}>
              <Link
                to="/admin/$section"
                params={{ section: name }}
                aria-current={name === current ? "page" : undefined}
                className="inline-block rounded-control px-3 py-1.5 font-semibold text-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-wash aria-[current=page]:text-accent-strong"
              >
                {sections[name]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Section />
    </Page>
  );
}

function Health() {
  const { data, isError } = useQuery({
    queryKey: ["admin", "health"],
    queryFn: ({ signal }) => call<{ status: "ok" | "failed" }>("GET", "/api/health", { signal }),
    retry: false,
  });
  if (data === undefined && !isError) return null;
  const isGood = data?.status === "ok";
  return <Badge kind={isGood ? "good" : "bad"}>{isGood ? texts.admin.service.ok : texts.admin.service.failed}</Badge>;
}
