import { useRouter } from "@tanstack/react-router";
import { switchAccount } from "../session.ts";

/** Switches the account. The filters of the list stay behind, because another account has other tags and domains. */
export function useSwitchAccount() {
  const router = useRouter();
  return async (id: string): Promise<void> => {
    const { pathname, search } = router.state.location;
    if (pathname === "/links" && Object.keys(search).length > 0)
      await router.navigate({ to: "/links", search: {}, replace: true });
    switchAccount(id);
  };
}
