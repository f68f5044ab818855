import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { AUTHORIZE_PATH, keepRequest } from "../../lib/authorization-request.ts";
import { forgetSession, switchAccount, tellOtherTabs, useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Field, Select } from "../../ui/field.tsx";
import { explainError } from "../../ui/notice.tsx";
import { TEXT_LINK } from "../../ui/open-layout.tsx";

const { facts } = texts.authorize;

/** The account that the app gets access to, and the person. Both can be changed. */
export function AccountField({ disabled = false }: { disabled?: boolean }) {
  const { user, accounts, account } = useSession();
  const navigate = useNavigate();
  const signOut = useMutation({
    mutationFn: () => call("POST", "/api/auth/sign-out"),
    onSuccess: async () => {
      // Signing out empties the browser's storage.
      keepRequest();
      tellOtherTabs(null);
      await navigate({ to: "/sign-in", search: { next: AUTHORIZE_PATH } });
      forgetSession();
    },
  });
  return (
    <Field
      label={facts.account}
      hint={
        <>
          {facts.person(user.email)}{" "}
          <button type="button" className={TEXT_LINK} disabled={disabled} onClick={() => signOut.mutate()}>
            {facts.other}
          </button>
        </>
      }
      error={signOut.isError && explainError(signOut.error)}
    >
      {(control) => (
        <Select
          {...control}
          disabled={disabled}
          value={account.id}
          onChange={(event) => switchAccount(event.target.value)}
        >
          {accounts
            .filter(({ deletesAt }) => deletesAt === null)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </Select>
      )}
    </Field>
  );
}
