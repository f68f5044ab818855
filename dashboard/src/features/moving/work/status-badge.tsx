import { texts } from "#dashboard/texts/index.ts";
import { Badge } from "#dashboard/ui/layout.tsx";

type Status = keyof typeof texts.moving.status;

const KINDS = {
  pending: "neutral",
  reading: "accent",
  ready: "warn",
  running: "accent",
  paused: "warn",
  done: "good",
  failed: "bad",
  cancelled: "neutral",
  undoing: "accent",
  undone: "neutral",
} as const satisfies Record<Status, string>;

export const StatusBadge = ({ status }: { status: Status }) => (
  <Badge kind={KINDS[status]}>{texts.moving.status[status]}</Badge>
);
