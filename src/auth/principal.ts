import type { HttpEnv } from "../http/context.ts";
import type { Permission } from "./permissions.ts";

/** Who is calling: a key of an account. A browser's session will be the other kind. */
export interface Principal {
  accountId: number;
  keyId: string;
  permissions: readonly Permission[];
  /** When the key ends, Unix milliseconds; null: never. */
  expiresAt: number | null;
}

/** The environment behind {@link authenticate}. */
export interface AuthEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { principal: Principal };
}

/** The environment where a caller may also be nobody. */
export interface MaybeAuthEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { principal: Principal | undefined };
}
