import { AUTHORIZE_PATH, keepRequest } from "../../lib/authorization-request.ts";
import { switchAccount, useSession } from "../../session.ts";
import { useSignOut } from "../../shell/sign-out.ts";
import { texts } from "../../texts/index.ts";
import { SelectField } from "../../ui/field.tsx";
import { TEXT_LINK } from "../../ui/open-layout.tsx";

const { facts } = texts.authorize;

/** The account that the app gets access to, and the person. Both can be changed. */
export function AccountField({ disabled = false }: { disabled?: boolean }) {
  const { user, accounts, account } = useSession();
  const signOut = useSignOut(AUTHORIZE_PATH, keepRequest);
  return (
    <SelectField
      label={facts.account}
      hint={
        <>
          {facts.person(user.email)}{" "}
          <button type="button" className={TEXT_LINK} disabled={disabled} onClick={signOut}>
            {facts.other}
          </button>
        </>
      }
      disabled={disabled}
      value={account.id}
      onValue={switchAccount}
    >
      {accounts
        .filter(({ deletesAt }) => deletesAt === null)
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </SelectField>
  );
}
