import { KeyRound } from "lucide-react";
import { useState } from "react";
import type { Passkey, SecondFactors } from "#dashboard/api/types.ts";
import { formatDay, formatRelative } from "#dashboard/lib/format.ts";
import { HAS_PASSKEYS } from "#dashboard/identity/passkey.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Badge, Section } from "#dashboard/ui/layout.tsx";
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from "./passkey-dialogs.tsx";
import { hasOneFactor } from "./queries.ts";
import { RecoveryCodesDialog } from "./recovery-codes.tsx";
import { MAX_PASSKEYS_PER_USER } from "#src/identity/people/limits.ts";
import { DeleteButton, EditButton } from "#dashboard/ui/row-buttons.tsx";

const { passkeys: page } = texts.person;

type Opened = { kind: "add" } | { kind: "rename" | "remove"; passkey: Passkey } | null;

export function PasskeysSection({ factors }: { factors: SecondFactors }) {
  const [opened, setOpened] = useState<Opened>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { passkeys } = factors;
  const isFull = passkeys.length >= MAX_PASSKEYS_PER_USER;
  const close = () => setOpened(null);
  return (
    <Section
      title={page.title}
      lead={page.lead}
      actions={
        <Button disabled={isFull || !HAS_PASSKEYS} onClick={() => setOpened({ kind: "add" })}>
          {page.add}
        </Button>
      }
    >
      {!HAS_PASSKEYS && <p className="mb-3 text-warn">{page.unsupported}</p>}
      {isFull && <p className="mb-3 text-warn">{page.full}</p>}
      {passkeys.length === 0 ? (
        <p className="text-soft">{page.none}</p>
      ) : (
        <ul aria-label={page.title} className="-mb-2 divide-y divide-line border-t border-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onOpen={(kind) => setOpened({ kind, passkey })} />
          ))}
        </ul>
      )}
      {opened?.kind === "add" && (
        <AddPasskeyDialog
          onClose={close}
          onAdded={(recoveryCodes) => {
            close();
            setCodes(recoveryCodes);
          }}
        />
      )}
      {opened?.kind === "rename" && <RenamePasskeyDialog passkey={opened.passkey} onClose={close} />}
      {opened?.kind === "remove" && (
        <RemovePasskeyDialog passkey={opened.passkey} isLast={hasOneFactor(factors)} onClose={close} />
      )}
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Section>
  );
}

function PasskeyRow({ passkey, onOpen }: { passkey: Passkey; onOpen: (kind: "rename" | "remove") => void }) {
  const { name, synced, createdAt, lastUsedAt } = passkey;
  return (
    <li className="flex items-center gap-3 py-3">
      <KeyRound size={20} className="shrink-0 text-soft" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-semibold [overflow-wrap:anywhere]">{name}</span>
          {synced && <Badge>{page.synced}</Badge>}
        </p>
        <p className="text-sm text-soft">
          {page.times(formatDay(createdAt), lastUsedAt === null ? texts.person.never : formatRelative(lastUsedAt))}
        </p>
      </div>
      <EditButton label={page.rename(name)} onClick={() => onOpen("rename")} />
      <DeleteButton label={page.remove(name)} onClick={() => onOpen("remove")} />
    </li>
  );
}
