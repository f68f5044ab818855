import { useMutation } from "@tanstack/react-query";
import { Ellipsis, KeyRound, Pencil, Power, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "#src/webhooks/contract.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button, IconButton } from "#dashboard/ui/button.tsx";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { Skeleton } from "#dashboard/ui/layout.tsx";
import { Menu, MenuItem, MenuSeparator } from "#dashboard/ui/menu.tsx";
import { ErrorNotice, Notice } from "#dashboard/ui/notice.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { BackLink, SettingsHeader } from "../frame.tsx";
import { SecretDialog } from "../secret-dialog.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Details } from "./details.tsx";
import { Health } from "./health.tsx";
import { PingAnswer } from "./ping-answer.tsx";
import { rotateSecret, sendPing, updateWebhook, useWebhook } from "./queries.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

type Opened = "edit" | "rotate" | "remove" | { secret: string } | null;

/** One webhook with its deliveries. */
export function WebhookPage({ id }: { id: string }) {
  const { data, error, refetch } = useWebhook(id);
  return (
    <>
      <BackLink section="webhooks" />
      {data === undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-96" />}
      {data !== undefined && <Loaded webhook={data.webhook} />}
    </>
  );
}

function Loaded({ webhook }: { webhook: Webhook }) {
  const { ping: pingTexts, off } = texts.webhooks;
  const { can } = useSession();
  const [opened, setOpened] = useState<Opened>(null);
  const ping = useMutation({ mutationFn: () => sendPing(webhook.id) });
  const toggle = useToggle(webhook);
  const mayChange = can("webhooks:write");
  const isActive = webhook.status === "active";
  return (
    <>
      <SettingsHeader
        title={webhook.url}
        badge={<Health webhook={webhook} />}
        actions={
          <>
            <Button disabled={!mayChange} busy={ping.isPending} onClick={() => ping.mutate()}>
              <Send size={16} aria-hidden />
              {pingTexts.action}
            </Button>
            <MoreMenu webhook={webhook} mayChange={mayChange} onOpen={setOpened} onToggle={() => toggle.mutate()} />
          </>
        }
      />
      {!isActive && (
        <Notice
          kind={webhook.disabledReason === "failures" ? "bad" : "warn"}
          className="mb-6"
          title={off[webhook.disabledReason ?? "manual"]}
          action={
            <Button size="small" disabled={!mayChange} busy={toggle.isPending} onClick={() => toggle.mutate()}>
              {texts.webhooks.turnOn}
            </Button>
          }
        />
      )}
      <PingAnswer ping={ping} />
      <Details webhook={webhook} />
      <Deliveries webhook={webhook} mayChange={mayChange} />
      <OpenedDialog webhook={webhook} opened={opened} setOpened={setOpened} />
    </>
  );
}

function useToggle({ id, status }: Webhook) {
  const { turnedOn, turnedOff } = texts.webhooks;
  const isActive = status === "active";
  return useMutation({
    mutationFn: async () => {
      await updateWebhook(id, { status: isActive ? "inactive" : "active" });
      showChange(isActive ? turnedOff : turnedOn, () => updateWebhook(id, { status }));
    },
    onError: showProblem,
  });
}

function MoreMenu({
  webhook,
  mayChange,
  onOpen,
  onToggle,
}: {
  webhook: Webhook;
  mayChange: boolean;
  onOpen: (dialog: "edit" | "rotate" | "remove") => void;
  onToggle: () => void;
}) {
  const { more, turnOn, turnOff, form, rotate, remove } = texts.webhooks;
  return (
    <Menu
      trigger={
        <IconButton kind="secondary" label={more} icon={<Ellipsis size={18} aria-hidden />} disabled={!mayChange} />
      }
    >
      <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => onOpen("edit")}>
        {form.edit}
      </MenuItem>
      <MenuItem icon={<Power size={16} aria-hidden />} onSelect={onToggle}>
        {webhook.status === "active" ? turnOff : turnOn}
      </MenuItem>
      <MenuItem icon={<KeyRound size={16} aria-hidden />} onSelect={() => onOpen("rotate")}>
        {rotate.menu}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={16} aria-hidden />} onSelect={() => onOpen("remove")}>
        {remove.menu}
      </MenuItem>
    </Menu>
  );
}

function OpenedDialog({
  webhook,
  opened,
  setOpened,
}: {
  webhook: Webhook;
  opened: Opened;
  setOpened: (opened: Opened) => void;
}) {
  const { rotate, created } = texts.webhooks;
  const close = () => setOpened(null);
  if (opened === null) return null;
  if (opened === "edit") return <WebhookDialog webhook={webhook} onClose={close} />;
  if (opened === "remove") return <RemoveDialog id={webhook.id} onClose={close} />;
  if (opened === "rotate")
    return (
      <ConfirmDialog
        onClose={close}
        title={rotate.title}
        description={rotate.text}
        action={rotate.action}
        onConfirm={async () => setOpened({ secret: (await rotateSecret(webhook.id)).secret })}
      />
    );
  return <SecretDialog {...created} secret={opened.secret} onClose={close} />;
}
