import type { Delivery } from "#src/webhooks/delivery-contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Badge } from "#dashboard/ui/layout.tsx";

const KINDS = { pending: "warn", delivered: "good", failed: "bad", dropped: "neutral" } as const;

export function DeliveryStatus({ status }: { status: Delivery["status"] }) {
  return <Badge kind={KINDS[status]}>{texts.webhooks.deliveries.statuses[status]}</Badge>;
}
