import type { Role } from "../../platform/auth/roles.ts";
import type { LinkDefaults, PersonPrincipal } from "../../platform/auth/principal.ts";
import type { AppLanguage } from "../../platform/languages.ts";
import type { CallContext } from "../../platform/context.ts";

/** A person, as they see themselves. */
export interface User {
  id: string;
  email: string;
  name: string;
  /** Of the dashboard; null: that of the browser. */
  language: AppLanguage | null;
  createdAt: number;
}

/** A browser that is signed in. */
export interface Session {
  /** Shown in lists. */
  id: string;
  /** The stored form of its cookie. */
  hash: string;
  user: User;
  createdAt: number;
  lastSeenAt: number;
  /** When the person last proved who they are. */
  confirmedAt: number;
  device: string;
  browser: string;
  os: string;
  /** The main version; null: unknown. */
  browserVersion: string | null;
  osVersion: string | null;
  country: string | null;
  /** Whether the person has a second factor. */
  hasFactor: boolean;
  /** Whether the person gave a second factor in this session, and still has one. */
  gaveFactor: boolean;
  /** Whether the person is deleted, and can only be restored. */
  isDeleted: boolean;
}

/** An account that a user is a member of. */
export interface AccountOfUser {
  id: string;
  name: string;
  kind: "personal" | "team";
  role: Role;
  /** When a deleted account is deleted for good, Unix milliseconds; null: it is not deleted. */
  deletesAt: number | null;
}

/** The account that a session acts for, as a member. */
export interface ActingAccount {
  id: number;
  role: Role;
  requiresMfa: boolean;
  isDisabled: boolean;
  isDeleted: boolean;
  linkDefaults: LinkDefaults | null;
  /** Whether it is not trusted yet. */
  isUntrusted: boolean;
}

/** The browser that sent a request. */
export interface Browser {
  userAgent: string;
  /** The network of its address, in which one attacker may have many. */
  network: string;
  /** The value of its session cookie. */
  session: string | undefined;
  /** The value of its device cookie. */
  device: string | undefined;
  /** The value of the cookie that it got when it signed up. */
  signUp: string | undefined;
  /** The value of the cookie of a sign-in that waits for its second step. */
  secondStep: string | undefined;
  /** The value of the cookie that it got with the challenge of a sign-in with a passkey. */
  passkey: string | undefined;
}

/** The context of a request under `/api/auth` from anybody. */
export interface VisitorContext extends CallContext {
  sender: Browser;
}

/** The same from a person who is signed in. */
export interface SessionContext extends VisitorContext {
  session: Session;
}

/** The same, acting for an account. */
export type MemberContext = SessionContext & { principal: PersonPrincipal };
