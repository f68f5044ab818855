import { Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { texts } from "../../texts/index.ts";
import { AuthenticatorSection } from "./security/authenticator-app.tsx";
import { PasskeysSection } from "./security/passkeys.tsx";
import { PasswordSection } from "./security/password.tsx";
import { useFactors } from "./security/queries.ts";
import { RecoverySection } from "./security/recovery-codes.tsx";
import { SessionsSection } from "./security/sessions.tsx";

/** How the person signs in, and where. */
export function SecuritySettings() {
  const factors = useFactors();
  return (
    <>
      <PasswordSection />
      {factors.isSuccess && (
        <>
          <PasskeysSection factors={factors.data} />
          <AuthenticatorSection factors={factors.data} />
          <RecoverySection factors={factors.data} />
        </>
      )}
      {factors.isPending && (
        <div role="status" aria-label={texts.ui.loading}>
          <Skeleton className="mb-6 h-36" />
          <Skeleton className="mb-6 h-24" />
          <Skeleton className="mb-6 h-24" />
        </div>
      )}
      {factors.isError && <ErrorNotice className="mb-6" error={factors.error} onRetry={() => void factors.refetch()} />}
      <SessionsSection />
    </>
  );
}
