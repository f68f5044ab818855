import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "../../api/client.ts";
import { askForPasskey, offerPasskeys, wasStopped } from "../../identity/passkey.ts";

const OPTIONS = "/api/auth/passkeys/sign-in/options";

/** The challenge of the offer is renewed before its five minutes are over. */
const OFFER_MS = 4 * 60_000;

function send(answer: AuthenticationResponseJSON): Promise<unknown> {
  return call("POST", "/api/auth/passkeys/sign-in", { body: answer });
}

/**
 * Signs in by a passkey: one that the browser offers where the person fills in the address, or one that `ask` asks for.
 */
export function usePasskeySignIn(onDone: () => void) {
  const offered = useMutation({ mutationFn: send, onSuccess: onDone });
  const asked = useMutation({
    mutationFn: async () => send(await askForPasskey(OPTIONS)),
    onSuccess: onDone,
    onError: () => offer(),
  });
  const stop = useRef<AbortController | null>(null);

  const offer = () => {
    stop.current?.abort();
    const controller = new AbortController();
    stop.current = controller;
    const renewal = setTimeout(() => offer(), OFFER_MS);
    controller.signal.addEventListener("abort", () => clearTimeout(renewal));
    offerPasskeys(OPTIONS, controller.signal).then(
      (answer) => answer !== null && !controller.signal.aborted && offered.mutate(answer, { onError: () => offer() }),
      // Without an offer, the button is left.
      (error: unknown) => !wasStopped(error) && controller.abort(),
    );
  };

  useEffect(() => {
    offer();
    return () => stop.current?.abort();
    // The offer lasts as long as the page.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return {
    ask: () => asked.mutate(),
    isBusy: asked.isPending || offered.isPending,
    error: asked.error ?? offered.error,
  };
}
