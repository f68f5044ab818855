import { Blocks } from "lucide-react";
import { useState } from "react";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Card, EmptyState } from "#dashboard/ui/layout.tsx";
import { ListOf, SettingsHeader } from "../frame.tsx";
import { AppRow } from "./app-row.tsx";
import { ConnectSection } from "./connect-section.tsx";
import { DisconnectDialog } from "./disconnect-dialog.tsx";
import { useApps, type ConnectedApp } from "./queries.ts";

const { lead, yours, others, empty } = texts.apps;

/** The id of the section that says how to connect an assistant. */
const CONNECT = "connect";

/** The apps that may use the account, and how to connect an assistant. */
export function AppSettings() {
  const list = useApps();
  const [leaving, setLeaving] = useState<ConnectedApp | null>(null);
  return (
    <>
      <SettingsHeader title={texts.settings.sections.apps} lead={lead} />
      <ListOf
        list={list}
        empty={
          <Card>
            <EmptyState
              icon={<Blocks aria-hidden />}
              title={empty.title}
              action={
                <Button kind="primary" asChild>
                  <a href={`#${CONNECT}`}>{empty.action}</a>
                </Button>
              }
              text={empty.text}
            />
          </Card>
        }
      >
        {(apps) => (
          <>
            <AppList title={yours} apps={apps.filter(({ isOwn }) => isOwn)} onDisconnect={setLeaving} />
            <AppList title={others} apps={apps.filter(({ isOwn }) => !isOwn)} onDisconnect={setLeaving} />
          </>
        )}
      </ListOf>
      <div id={CONNECT} className="mt-6 scroll-mt-20">
        <ConnectSection />
      </div>
      {leaving !== null && <DisconnectDialog app={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

interface AppListProps {
  title: string;
  apps: readonly ConnectedApp[];
  onDisconnect: (app: ConnectedApp) => void;
}

function AppList({ title, apps, onDisconnect }: AppListProps) {
  if (apps.length === 0) return null;
  return (
    <div className="mb-6">
      <h2 className="mb-2 font-bold">{title}</h2>
      <Card>
        <ul aria-label={title} className="divide-y divide-line">
          {apps.map((app) => (
            <AppRow key={app.id} app={app} onDisconnect={() => onDisconnect(app)} />
          ))}
        </ul>
      </Card>
    </div>
  );
}
