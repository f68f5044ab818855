import { call } from "#dashboard/api/client.ts";
import { queryClient } from "#dashboard/api/query-client.ts";
import type { AccountOfUser } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { showToast } from "#dashboard/ui/toast.tsx";

/** Brings a deleted account back, whichever account is used at present. */
export async function restoreAccount({ id, name }: AccountOfUser): Promise<void> {
  await call("POST", "/api/account/restore", { headers: { "X-Account-Id": id } });
  await queryClient.invalidateQueries({ queryKey: ["session"] });
  showToast({ title: texts.person.deletion.restored(name) });
}
