import { useState } from "react";
import type { ApiKey } from "#src/identity/keys/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { revokeKey } from "./queries.ts";

interface Props {
  apiKey: ApiKey;
  /** Whether other keys were created with it. */
  hasDescendants: boolean;
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, hasDescendants, onClose }: Props) {
  const { title, text, descendants, action, done } = texts.keys.revokeDialog;
  const [withDescendants, setWithDescendants] = useState(false);
  const revoke = async () => {
    await revokeKey(apiKey.id, withDescendants);
    showChange(done(apiKey.name));
    onClose();
  };
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title={title(apiKey.name)}
      description={text}
      action={action}
      onConfirm={revoke}
    >
      {hasDescendants && (
        <Checkbox
          label={descendants}
          checked={withDescendants}
          onChange={(event) => setWithDescendants(event.target.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
