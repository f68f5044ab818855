import { useMutation } from "@tanstack/react-query";
import type { Webhook } from "#src/webhooks/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { rotateSecret } from "./queries.ts";

interface Props {
  id: string;
  onClose: () => void;
  onRotated: (webhook: Webhook) => void;
}

export function RotateDialog({ id, onClose, onRotated }: Props) {
  const { title, text, action } = texts.webhooks.rotate;
  const rotate = useMutation({ mutationFn: () => rotateSecret(id), onSuccess: onRotated });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      description={text}
      action={action}
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
    />
  );
}
