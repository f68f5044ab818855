// The names of the cookies, without the prefix that https adds (src/platform/http/cookies.ts).

export const SESSION_COOKIE = "tern";
/** Says that this browser has signed in before. */
export const DEVICE_COOKIE = "tern-device";
/** Says that this browser sent a sign-up that is not verified yet. */
export const SIGN_UP_COOKIE = "tern-sign-up";
/** Says that this browser gave the right password and must give a second factor. */
export const SECOND_STEP_COOKIE = "tern-second-step";
/** Binds the challenge of a sign-in with a passkey to this browser. */
export const PASSKEY_COOKIE = "tern-passkey";
