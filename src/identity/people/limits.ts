import { DAY_MS, HOUR_MS, MAIL_WINDOW_MS, MINUTE_MS, SECOND_MS } from "../../limits.ts";

/** Maximum length of a person's name. */
export const MAX_USER_NAME_CHARS = 100;

/** Minimum length of a person's password, in Unicode characters. */
export const MIN_USER_PASSWORD_CHARS = 12;

/** Maximum length of a person's password, in Unicode characters. */
export const MAX_USER_PASSWORD_CHARS = 128;

/** Maximum length of a person's password in a request, in UTF-16 code units. A character has one or two. */
export const MAX_USER_PASSWORD_UNITS = 2 * MAX_USER_PASSWORD_CHARS;

/** A password needs this many characters besides the words of the service and of the person. */
export const MIN_OTHER_PASSWORD_CHARS = 8;

/** Minimum length of a word of the service or the person that a password is searched for. */
export const MIN_OWN_WORD_CHARS = 3;

/** Durable Objects that hash passwords. */
export const PASSWORD_HASHERS = 16;

/** Passwords that one Durable Object hashes or that wait there. Each takes a quarter of a second. */
export const MAX_WAITING_PASSWORDS = 20;

/** Timeout of the lookup of a password among breached ones. After it, the password counts as not breached. */
export const BREACH_LOOKUP_TIMEOUT_MS = SECOND_MS;

/** A range of breached passwords is read up to this size. One with padding has about 40 KB. */
export const MAX_BREACH_RANGE_BYTES = 512 * 1_024;

/**
 * Wrong guesses in any {@link GUESS_WINDOW_MS}: at the password of an address from one network, from one known device, at the
 * second step of a person from unknown devices, and in one session.
 */
export const MAX_GUESSES = 10;

/** Wrong guesses at the password of an address from all networks without a known device, in any {@link GUESS_WINDOW_MS} (NIST SP 800-63B permits 100). */
export const MAX_GUESSES_OF_ALL_NETWORKS = 100;

/** Wrong guesses with all known devices of a person together, in any {@link GUESS_WINDOW_MS}. */
export const MAX_GUESSES_OF_ALL_DEVICES = 20;

/** At this number of wrong codes in {@link GUESS_WINDOW_MS}, the person gets a mail: somebody knows the password. */
export const TOLD_WRONG_CODE = 3;

/** The time in which wrong guesses count. */
export const GUESS_WINDOW_MS = 15 * MINUTE_MS;

/** Time step of the codes of authenticator apps. All apps support this one. */
export const TOTP_PERIOD_SECONDS = 30;

/** Digits of a code of an authenticator app. */
export const TOTP_DIGITS = 6;

/** Random bytes of the secret of an authenticator app (RFC 4226, section 4, recommends 20). */
export const TOTP_SECRET_BYTES = 20;

/** After this time without a code, the enrolment of an authenticator app must be started again. */
export const TOTP_ENROLMENT_TTL_MS = 15 * MINUTE_MS;

/** Quiet zone around the QR code of an authenticator app (ISO/IEC 18004, 6.3.8). */
export const TOTP_QR_MARGIN_MODULES = 4;

/** Maximum length of a code of an authenticator app in a request: apps show it with a space. */
export const MAX_TOTP_CODE_CHARS = 10;

/** Recovery codes that a person gets at once. */
export const RECOVERY_CODES = 10;

/** Random bytes of a recovery code. */
export const RECOVERY_CODE_BYTES = 15;

/** Maximum length of a recovery code in a request. Those of this service have 29 characters. */
export const MAX_RECOVERY_CODE_CHARS = 60;

/** Time for the second step of a sign-in. */
export const SECOND_STEP_TTL_MS = 5 * MINUTE_MS;

/** Lifetime of a WebAuthn challenge. */
export const WEBAUTHN_CHALLENGE_TTL_MS = 5 * MINUTE_MS;

/** Random bytes of the handle by which passkeys know their user (WebAuthn 3, section 5.4.3, allows 64). */
export const USER_HANDLE_BYTES = 32;

/** Passkeys of a person. */
export const MAX_PASSKEYS_PER_USER = 20;

/** Maximum length of the name of a passkey. */
export const MAX_PASSKEY_NAME_CHARS = 100;

/** Maximum length of one value in a browser's WebAuthn answer, in base64url. Attestations with certificates have some thousands. */
export const MAX_WEBAUTHN_VALUE_CHARS = 20_000;

/** Maximum number of transports that a browser reports for a passkey. */
export const MAX_PASSKEY_TRANSPORTS = 10;

/** Maximum length of a transport's name. */
export const MAX_PASSKEY_TRANSPORT_CHARS = 32;

/** Lifetime of the link that verifies the address of a new user. */
export const VERIFY_EMAIL_TTL_MS = DAY_MS;

/**
 * Lifetime of the link that sets a new password. As long as the window of mails, so that a stranger who uses up the mails of an
 * address leaves its owner a link that works.
 */
export const RESET_PASSWORD_TTL_MS = MAIL_WINDOW_MS;

/** Lifetime of the link that confirms a changed address. */
export const CONFIRM_EMAIL_TTL_MS = HOUR_MS;

/** Lifetime of the links that take back a changed address, a first second factor and replaced recovery codes. */
export const UNDO_TTL_MS = 7 * DAY_MS;

/** Invitations of the operator whose mails one run of the cron writes. */
export const INVITATIONS_PER_CRON_RUN = 20;

/**
 * Mails with a link that verifies an address, which anybody can ask for, in any {@link RATE_LIMIT_WINDOW_MS}: of the whole
 * service, to whatever addresses.
 */
export const MAX_VERIFICATION_MAILS = 300;

/** How long mails are kept: those in the outbox with their content, others without. Where none can be sent, they are the notices. */
export const MAIL_KEPT_MS = 30 * DAY_MS;

/** Notices that a person gets at once. */
export const MAX_SHOWN_NOTICES = 20;
