import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import type { ApiKey } from "#src/identity/keys/contract.ts";
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from "#src/limits.ts";
import { usageQuery } from "#dashboard/api/resources.ts";
import { lazyPart } from "#dashboard/lib/lazy-part.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { CodeBlock } from "../code-block.tsx";
import { ListPage } from "../list-page.tsx";
import { SecretDialog } from "../secret-dialog.tsx";
import { CreateKeyDialog } from "./create-dialog.tsx";
import { EditKeyDialog } from "./edit-dialog.tsx";
import { KeyRow } from "./key-row.tsx";
import { useKeys } from "./queries.ts";
import { RevokeKeyDialog } from "./revoke-dialog.tsx";

type Opened =
  | { dialog: "create" }
  | { dialog: "created"; key: ApiKey & { value: string } }
  | { dialog: "edit" | "revoke"; key: ApiKey };

const RequestLog = lazyPart(() => import("./request-log.tsx").then(({ RequestLog }) => RequestLog));

/** The keys of the account, or the requests with one of them. */
export function KeySettings({ id }: { id?: string | undefined }) {
  return id === undefined ? <KeyList /> : <RequestLog id={id} />;
}

function KeyList() {
  const { can } = useSession();
  const list = useKeys();
  const { data: usage } = useQuery(usageQuery);
  const [opened, setOpened] = useState<Opened | null>(null);
  const mayChange = can("keys:write");
  const { used, limit } = usage?.keys ?? { used: 0, limit: MAX_ACTIVE_KEYS_PER_ACCOUNT };
  return (
    <>
      <ListPage
        section="keys"
        words={texts.keys}
        icon={<KeyRound aria-hidden />}
        list={{ ...list, items: list.items && workingFirst(list.items) }}
        used={used}
        limit={limit}
        mayCreate={mayChange}
        onCreate={() => setOpened({ dialog: "create" })}
      >
        {(key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            mayChange={mayChange}
            onEdit={() => setOpened({ dialog: "edit", key })}
            onRevoke={() => setOpened({ dialog: "revoke", key })}
          />
        )}
      </ListPage>
      <OpenedDialog opened={opened} keys={list.items ?? []} setOpened={setOpened} />
    </>
  );
}

const isWorking = ({ status, expired }: ApiKey): boolean => status === "active" && !expired;

function workingFirst(keys: readonly ApiKey[]): ApiKey[] {
  return [...keys.filter(isWorking), ...keys.filter((key) => !isWorking(key))];
}

function OpenedDialog({
  opened,
  keys,
  setOpened,
}: {
  opened: Opened | null;
  keys: readonly ApiKey[];
  setOpened: (opened: Opened | null) => void;
}) {
  const close = () => setOpened(null);
  if (opened === null) return null;
  if (opened.dialog === "create")
    return <CreateKeyDialog onClose={close} onCreated={(key) => setOpened({ dialog: "created", key })} />;
  if (opened.dialog === "created") return <CreatedDialog apiKey={opened.key} onClose={close} />;
  if (opened.dialog === "edit") return <EditKeyDialog apiKey={opened.key} onClose={close} />;
  const hasDescendants = keys.some(({ createdBy }) => createdBy?.type === "key" && createdBy.id === opened.key.id);
  return <RevokeKeyDialog apiKey={opened.key} hasDescendants={hasDescendants} onClose={close} />;
}

function CreatedDialog({ apiKey, onClose }: { apiKey: ApiKey & { value: string }; onClose: () => void }) {
  const { title, text, label, example } = texts.keys.created;
  const authorization = `-H "Authorization: Bearer ${apiKey.value}"`;
  const command = apiKey.permissions.includes("links:write")
    ? `curl ${location.origin}/api/links \\\n  ${authorization} \\\n  --json '{"url": "https://example.com/"}'`
    : `curl ${location.origin}/api/keys/current \\\n  ${authorization}`;
  return (
    <SecretDialog title={title} text={text} label={label} secret={apiKey.value} onClose={onClose}>
      <CodeBlock label={example} text={command} />
    </SecretDialog>
  );
}
