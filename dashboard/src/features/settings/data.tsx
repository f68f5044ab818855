import { useSession } from "../../session.ts";
import { DeletedTeamsSection } from "./data/deleted-teams.tsx";
import { DeletionSection } from "./data/deletion.tsx";
import { ExportSection } from "./data/export.tsx";

/** Takes all data of the account out, and deletes the account. */
export function DataSettings() {
  const { account, can } = useSession();
  return (
    <>
      {can("account:export") && <ExportSection key={account.id} />}
      <DeletedTeamsSection />
      <DeletionSection key={`deletion ${account.id}`} />
    </>
  );
}
