import { call } from "../../../api/client.ts";
import { queryClient } from "../../../api/query-client.ts";
import type { AccountOfUser } from "../../../api/types.ts";
import { texts } from "../../../texts/index.ts";
import { showToast } from "../../../ui/toast.tsx";

/** Brings a deleted account back, whichever account is used at present. */
export async function restoreAccount({ id, name }: AccountOfUser): Promise<void> {
  await call("POST", "/api/account/restore", { headers: { "X-Account-Id": id } });
  await queryClient.invalidateQueries({ queryKey: ["session"] });
  showToast({ title: texts.person.deletion.restored(name) });
}
