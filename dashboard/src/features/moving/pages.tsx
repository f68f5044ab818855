import { Link, useParams } from "@tanstack/react-router";
import { Compass, LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Card, EmptyState, Page } from "../../ui/layout.tsx";
import { ExportTab } from "./exports/export-tab.tsx";
import { ImportTab } from "./imports/import-tab.tsx";
import { JobsTab } from "./work/jobs-tab.tsx";

const TABS = { import: ImportTab, export: ExportTab, jobs: JobsTab } as const;
type Tab = keyof typeof TABS;

/** Importing, exporting, and what runs in the background. */
export function MovingPage() {
  const { kind = "import" } = useParams({ strict: false });
  const { can } = useSession();
  const Tab = Object.hasOwn(TABS, kind) ? TABS[kind as Tab] : null;
  const { notAllowed, noSuchTab } = texts.moving;
  if (!can("bulk")) return <Message icon={<LockKeyhole aria-hidden />} {...notAllowed} />;
  return (
    <Page title={texts.shell.pages.moving}>
      <nav aria-label={texts.moving.tabs.label} className="mb-6 flex gap-1 border-b border-line">
        {(Object.keys(TABS) as Tab[]).map((name) => (
          <Link
            key={name}
            to="/moving/$kind"
            params={{ kind: name }}
            aria-current={name === kind ? "page" : undefined}
            className="-mb-px border-b-2 border-transparent px-3 py-2 font-semibold text-soft transition-colors hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
          >
            {texts.moving.tabs[name]}
          </Link>
        ))}
      </nav>
      {Tab === null ? (
        <EmptyState icon={<Compass aria-hidden />} title={noSuchTab.title} text={noSuchTab.text} />
      ) : (
        <Tab />
      )}
    </Page>
  );
}

function Message({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <Page title={texts.shell.pages.moving}>
      <Card>
        <EmptyState icon={icon} title={title} text={text} />
      </Card>
    </Page>
  );
}
