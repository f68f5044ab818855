import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { factorsQuery } from "../../api/resources.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";

const { add, confirm } = texts.shell.factorNeeded;

/** What a person can do about a team that requires a second factor which was not given in this session. */
export function FactorStep({ onConfirm }: { onConfirm: () => void }) {
  const { data: factors } = useQuery(factorsQuery);
  if (factors === undefined) return null;
  if (factors.totp || factors.passkeys.length > 0)
    return (
      <Button kind="primary" onClick={onConfirm}>
        {confirm.action}
      </Button>
    );
  return (
    <Button kind="primary" asChild>
      {/* The request waits here. */}
      <Link to="/settings/$section" params={{ section: "security" }} target="_blank">
        {add.action}
      </Link>
    </Button>
  );
}
