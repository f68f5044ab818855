import { DAY_MS, HOUR_MS, MAX_HOST_CHARS, MINUTE_MS, SECOND_MS } from "../limits.ts";

/** Maximum length of a domain as people may give it: a name with a scheme, spaces around it and a slash at its end. */
export const MAX_DOMAIN_INPUT_CHARS = MAX_HOST_CHARS + 16;

export const MAX_BRAND_NAME_CHARS = 60;

/** Maximum length of a logo's URL. */
export const MAX_BRAND_LOGO_CHARS = 2_048;

/** Maximum size of one file as JSON. Apple allows 128 KB; a request body must have room for the file. */
export const MAX_APP_ASSOCIATION_BYTES = 32 * 1_024;

/** Maximum nesting depth of a file; the documented members need seven levels. */
export const MAX_APP_ASSOCIATION_DEPTH = 16;

/** Time between the DNS checks of a verified domain. */
export const DOMAIN_CHECK_INTERVAL_MS = DAY_MS;

/** A check is earlier by a random time of up to this, which spreads the checks of many domains. */
export const DOMAIN_CHECK_JITTER_MS = 2 * HOUR_MS;

/** Time between the DNS checks of a domain whose TXT record is missing. */
export const LOST_DOMAIN_CHECK_INTERVAL_MS = HOUR_MS;

/** Time until a DNS check that failed is repeated. */
export const DOMAIN_CHECK_RETRY_MS = 10 * MINUTE_MS;

/** A domain stays verified for this time after its TXT record was found missing. */
export const LOST_DOMAIN_GRACE_MS = 7 * DAY_MS;

/** The most values of a DNS record that the check of a domain reports. */
export const MAX_SEEN_RECORDS = 5;

/** How much of each such value is reported, in characters: the longest string of a TXT record (RFC 1035, 3.3). */
export const MAX_SEEN_RECORD_CHARS = 255;

/** Maximum number of domains that one run of the cron checks. */
export const DOMAINS_CHECKED_PER_RUN = 25;

/** Domains that the cron checks or syncs concurrently; a Worker invocation has six connections. */
export const MAX_CONCURRENT_DOMAINS = 3;

/** Maximum number of attempts to record a DNS check while other requests change the same domain. */
export const MAX_DOMAIN_CHANGE_ATTEMPTS = 5;

/** Timeout of a call of Cloudflare's API for custom hostnames. */
export const CUSTOM_HOSTNAME_TIMEOUT_MS = 5 * SECOND_MS;

/** Maximum number of bytes that are read of a response of that API. */
export const MAX_CUSTOM_HOSTNAME_RESPONSE_BYTES = 256 * 1_024;

/** Maximum stored length of Cloudflare's reason for a missing certificate. */
export const MAX_CERTIFICATE_ERROR_CHARS = 500;

/** Time between the checks of a certificate that is not active yet. */
export const CERTIFICATE_CHECK_INTERVAL_MS = 10 * MINUTE_MS;

/** Time between the checks of an active certificate. */
export const ACTIVE_CERTIFICATE_CHECK_INTERVAL_MS = DAY_MS;

/** Minimum time until a call of Cloudflare's API that failed is repeated. */
export const CUSTOM_HOSTNAME_RETRY_MS = 5 * MINUTE_MS;

/** Maximum number of custom hostnames that one run of the cron syncs, and of those that it removes. */
export const CUSTOM_HOSTNAMES_PER_RUN = 25;

/** Delay of a custom hostname's removal, in which requests that are registering it can finish. */
export const CUSTOM_HOSTNAME_REMOVAL_DELAY_MS = MINUTE_MS;

/** Unknown paths with their visits in one answer. */
export const MAX_LISTED_ORPHAN_PATHS = 100;
