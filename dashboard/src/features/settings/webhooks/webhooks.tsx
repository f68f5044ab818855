import { Link } from "@tanstack/react-router";
import { Webhook as Icon } from "lucide-react";
import { useState } from "react";
import { MAX_WEBHOOKS_PER_ACCOUNT } from "#src/limits.ts";
import type { Webhook } from "#src/webhooks/contract.ts";
import { formatRelative } from "#dashboard/lib/format.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ListPage } from "../list-page.tsx";
import { SecretDialog } from "../secret-dialog.tsx";
import { Health } from "./health.tsx";
import { useWebhooks } from "./queries.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { WebhookPage } from "./webhook-page.tsx";

/** The webhooks of the account, or one of them. */
export function WebhookSettings({ id }: { id?: string | undefined }) {
  return id === undefined ? <WebhookList /> : <WebhookPage id={id} />;
}

function WebhookList() {
  const { can } = useSession();
  const list = useWebhooks();
  const [opened, setOpened] = useState<"create" | Webhook | null>(null);
  return (
    <>
      <ListPage
        section="webhooks"
        words={texts.webhooks}
        icon={<Icon aria-hidden />}
        list={list}
        used={list.items?.length ?? 0}
        limit={MAX_WEBHOOKS_PER_ACCOUNT}
        mayCreate={can("webhooks:write")}
        onCreate={() => setOpened("create")}
      >
        {(webhook) => <Row key={webhook.id} webhook={webhook} />}
      </ListPage>
      {opened === "create" && <WebhookDialog webhook={null} onClose={() => setOpened(null)} onCreated={setOpened} />}
      {opened !== null && opened !== "create" && (
        <SecretDialog {...texts.webhooks.created} secret={opened.secret} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function Row({ webhook }: { webhook: Webhook }) {
  const { lastDelivery, noDelivery, eventCount } = texts.webhooks;
  const { id, url, events, lastTriggeredAt } = webhook;
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-4 hover:bg-sunken/50">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="font-semibold [overflow-wrap:anywhere]">
          <Link
            to="/settings/$section/$id"
            params={{ section: "webhooks", id }}
            className="after:absolute after:inset-0"
          >
            <bdi dir="ltr">{url}</bdi>
          </Link>
        </h2>
        <p className="text-sm text-soft" title={events.join(", ")}>
          {eventCount(events.length)} ·{" "}
          {lastTriggeredAt === null ? noDelivery : lastDelivery(formatRelative(lastTriggeredAt))}
        </p>
      </div>
      <Health webhook={webhook} />
    </li>
  );
}
