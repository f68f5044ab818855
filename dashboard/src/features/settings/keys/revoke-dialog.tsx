import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKey } from "#src/keys/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
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
  const revoke = useMutation({
    mutationFn: () => revokeKey(apiKey.id, withDescendants),
    onSuccess: () => {
      showChange(done(apiKey.name));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title={title(apiKey.name)}
      description={text}
      action={action}
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
    >
      {hasDescendants && (
        <Checkbox
          label={descendants}
          checked={withDescendants}
          onChange={(event) => setWithDescendants(event.target.checked)}
        />
      )}
      {revoke.error !== null && <ErrorNotice error={revoke.error} />}
    </ConfirmDialog>
  );
}
