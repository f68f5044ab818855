import { nameOfApp } from "#dashboard/ui/name-of-app.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { disconnectApp, type ConnectedApp } from "./queries.ts";

export function DisconnectDialog({ app, onClose }: { app: ConnectedApp; onClose: () => void }) {
  const { title, text, textOfOther, action, done } = texts.apps.dialog;
  const name = nameOfApp(app.client);
  const disconnect = async () => {
    await disconnectApp(app.id);
    showChange(done(name));
    onClose();
  };
  return (
    <ConfirmDialog
      danger="ends"
      onClose={onClose}
      title={title(name)}
      description={app.isOwn ? text : textOfOther(app.person.name)}
      action={action}
      onConfirm={disconnect}
    />
  );
}
