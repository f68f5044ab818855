import { DAY_MS } from "../../limits.ts";

/** Age at which an account that signed up without an invitation is trusted. */
export const TRUST_AGE_MS = 30 * DAY_MS;

/** The same of an account with a verified domain, or with an owner who has a second factor. */
export const PROVEN_TRUST_AGE_MS = 3 * DAY_MS;

/** Hosts to which the links of an account without trust may lead before it is trusted no earlier than others. */
export const NEW_ACCOUNT_HOSTS = 50;

/** Links without trust of an account of which the hosts are counted. */
export const LINKS_WITH_COUNTED_HOSTS = 1_001;

/** An account that is not trusted yet is checked this often. */
export const TRUST_CHECK_INTERVAL_MS = DAY_MS;
