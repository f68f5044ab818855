import { useNavigate } from "@tanstack/react-router";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { readAgain } from "#dashboard/api/query-client.ts";
import { deleteWebhook } from "./queries.ts";

export function RemoveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { title, text, action, done } = texts.webhooks.remove;
  const navigate = useNavigate();
  const remove = async () => {
    await deleteWebhook(id);
    showChange(done);
    await navigate({ to: "/settings/$section", params: { section: "webhooks" } });
    await readAgain("webhooks", "usage");
  };
  return <ConfirmDialog danger onClose={onClose} title={title} description={text} action={action} onConfirm={remove} />;
}
