import type { Webhook } from "#src/webhooks/contract.ts";
import { formatCount } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Badge } from "#dashboard/ui/layout.tsx";

/** Says in a word how a webhook does. */
export function Health({ webhook }: { webhook: Webhook }) {
  const { working, idle, failing, off, disabled, gone, restored } = texts.webhooks.health;
  if (webhook.status === "inactive") {
    if (webhook.disabledReason === "failures") return <Badge kind="bad">{disabled}</Badge>;
    if (webhook.disabledReason === "gone") return <Badge kind="bad">{gone}</Badge>;
    return <Badge>{webhook.disabledReason === "restored" ? restored : off}</Badge>;
  }
  if (webhook.failureCount > 0) return <Badge kind="warn">{failing(formatCount(webhook.failureCount))}</Badge>;
  if (webhook.lastTriggeredAt === null) return <Badge>{idle}</Badge>;
  return <Badge kind="good">{working}</Badge>;
}
