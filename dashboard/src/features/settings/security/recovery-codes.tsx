import { Copy, Download } from "lucide-react";
import { useState } from "react";
import { call } from "#dashboard/api/client.ts";
import type { SecondFactors } from "#dashboard/api/types.ts";
import { copyText } from "#dashboard/lib/clipboard.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { ConfirmDialog, Dialog } from "#dashboard/ui/dialog.tsx";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { readAgain } from "./queries.ts";
import { RECOVERY_CODES } from "#src/identity/people/limits.ts";

const { recovery } = texts.person;

/** From this number on, new codes are advised. */
const FEW_CODES = 3;

export function RecoverySection({ factors }: { factors: SecondFactors }) {
  const [isAsking, setAsking] = useState(false);
  const hasFactor = factors.totp || factors.passkeys.length > 0;
  const left = factors.recoveryCodesLeft;
  const [codes, setCodes] = useState<string[] | null>(null);
  const replace = async () => {
    const { recoveryCodes } = await call<{ recoveryCodes: string[] }>("POST", "/api/auth/mfa/recovery-codes");
    setCodes(recoveryCodes);
    setAsking(false);
    await readAgain();
  };
  return (
    <Section
      title={recovery.title}
      lead={recovery.lead}
      actions={hasFactor && <Button onClick={() => setAsking(true)}>{recovery.replace}</Button>}
    >
      {!hasFactor && <p className="text-soft">{recovery.none}</p>}
      {hasFactor && (
        <p className={left <= FEW_CODES ? "text-warn" : undefined}>
          <strong className="tabular font-semibold">{recovery.left(left, RECOVERY_CODES)}</strong>
          {left <= FEW_CODES && `. ${recovery.few}`}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title={recovery.replaceTitle}
          description={recovery.replaceText}
          action={recovery.replace}
          onConfirm={replace}
        />
      )}
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Section>
  );
}

/** Shows recovery codes for the only time. It closes once the person says that they are kept. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { user } = useSession();
  const [isStored, setStored] = useState(false);
  const [isReminded, setReminded] = useState(false);
  const close = () => {
    if (isStored) onClose();
    else setReminded(true);
  };
  const copy = async () => {
    if (await copyText(codes.join("\n"))) showToast({ title: recovery.copied });
    else showToast({ kind: "problem", title: texts.ui.copyRefused });
  };
  return (
    <Dialog
      closesOutside={false}
      onClose={close}
      title={recovery.showTitle}
      description={recovery.showText}
      footer={
        <Button kind="primary" onClick={close}>
          {recovery.done}
        </Button>
      }
    >
      <ol
        aria-label={recovery.list}
        className="grid gap-x-8 gap-y-1 rounded-control bg-sunken px-4 py-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="break-all">
            {code}
          </li>
        ))}
      </ol>
      <div className="mt-3 mb-4 flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          <Copy size={16} aria-hidden />
          {recovery.copy}
        </Button>
        <Button asChild>
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(recovery.fileText(user.email, codes.join("\n")))}`}
            download={recovery.fileName}
          >
            <Download size={16} aria-hidden />
            {recovery.download}
          </a>
        </Button>
      </div>
      <Checkbox label={recovery.stored} checked={isStored} onChange={(event) => setStored(event.target.checked)} />
      <p role="alert" className="mt-2 text-sm text-bad">
        {isReminded && !isStored && recovery.storeFirst}
      </p>
    </Dialog>
  );
}
