import { useState } from "react";
import type { ReceivedInvitation } from "../../api/types.ts";
import { useNext } from "./arrive.ts";
import { INVITATION_PATH, readInvitation } from "./next-path.ts";
import { useReceivedInvitation } from "./queries.ts";

interface KeptInvitation {
  token: string | null;
  received: ReceivedInvitation | undefined;
  isReading: boolean;
}

/** The invitation for which the person signs in or up. */
export function useKeptInvitation(): KeptInvitation {
  const { next } = useNext();
  const [token] = useState(() => (next === INVITATION_PATH ? readInvitation() : null));
  const { data, isPending } = useReceivedInvitation(token);
  return { token, received: data, isReading: token !== null && isPending };
}
