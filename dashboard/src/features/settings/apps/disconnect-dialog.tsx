import { useMutation } from "@tanstack/react-query";
import { nameOfApp } from "#dashboard/ui/name-of-app.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { disconnectApp, type ConnectedApp } from "./queries.ts";

export function DisconnectDialog({ app, onClose }: { app: ConnectedApp; onClose: () => void }) {
  const { title, text, textOfOther, action, done } = texts.apps.dialog;
  const name = nameOfApp(app.client);
  const disconnection = useMutation({
    mutationFn: () => disconnectApp(app.id),
    onSuccess: () => {
      showChange(done(name));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      danger="ends"
      onClose={onClose}
      title={title(name)}
      description={app.isOwn ? text : textOfOther(app.person.name)}
      action={action}
      busy={disconnection.isPending}
      error={disconnection.error}
      onConfirm={() => disconnection.mutate()}
    />
  );
}
