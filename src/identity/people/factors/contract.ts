import { createRoute, z } from "@hono/zod-openapi";
import {
  conflicting,
  json,
  jsonBody,
  jsonWithCookie,
  operation,
  sessionOnly,
  Success,
} from "../../../platform/http/contract.ts";
import { idParams } from "../../../platform/http/id.ts";
import { errorRef } from "../../../platform/http/openapi-components.ts";
import { refused, SignedIn, TokenInput } from "../schemas.ts";
import {
  AssertionInput,
  CodeInput,
  EXAMPLE_RECOVERY_CODE,
  FirstRecoveryCodes,
  NewPasskey,
  PasskeyBody,
  PasskeyName,
  RecoveryCodeInput,
  RecoveryCodeList,
  WebAuthnOptions,
} from "./schemas.ts";
import { because } from "../../../platform/http/faults.ts";

const OPTIONS = "Options for the browser's WebAuthn call. They work once, for 5 minutes.";
const options = { 200: json(WebAuthnOptions, OPTIONS) };

export const startSecondStep = createRoute({
  ...operation("post", "/api/auth/sign-in/mfa/options", "Second factors", "Start second step"),
  security: [],
  description: "Options for a passkey as the second factor of a sign-in.",
  responses: { ...options, ...refused, ...conflicting("The person has no passkey.") },
});

export const takeSecondStep = createRoute({
  ...operation("post", "/api/auth/sign-in/mfa", "Second factors", "Take second step"),
  security: [],
  description: "Signs in a person who has given the password in this browser within the last 5 minutes.",
  request: jsonBody(
    z
      .strictObject({
        code: CodeInput.optional(),
        recoveryCode: RecoveryCodeInput.optional(),
        passkey: AssertionInput.optional(),
      })
      .refine(hasOneMember, because("not_one_given", { allowed: ["code", "recoveryCode", "passkey"] }))
      .openapi("SecondFactor", { description: "One second factor.", example: { code: "492039" } }),
  ),
  responses: { 200: jsonWithCookie(SignedIn, "The person is signed in."), ...refused },
});

export function hasOneMember(body: object): boolean {
  return Object.values(body).filter((value) => value !== undefined).length === 1;
}

export const startConfirmation = createRoute({
  ...operation("post", "/api/auth/confirm/options", "Second factors", "Start confirmation"),
  ...sessionOnly,
  description: "Options for a passkey that confirms the identity.",
  responses: { ...options, ...conflicting("The person has no passkey.") },
});

export const getFactors = createRoute({
  ...operation("get", "/api/auth/mfa", "Second factors", "Get second factors"),
  ...sessionOnly,
  description: "The second factors of the person.",
  responses: {
    200: json(
      z
        .object({
          totp: z.boolean().openapi({ description: "Whether there is an authenticator app." }),
          recoveryCodesLeft: z.number().int().openapi({ description: "Recovery codes that can still be used." }),
          passkeys: z.array(PasskeyBody).openapi({ description: "Oldest first." }),
          password: z.boolean().openapi({ description: "Whether the person has a password." }),
        })
        .openapi("SecondFactors", {
          description: "The second factors of a person.",
          example: { totp: true, recoveryCodesLeft: 10, passkeys: [], password: true },
        }),
      "The second factors.",
    ),
  },
});

export const enrolTotp = createRoute({
  ...operation("post", "/api/auth/mfa/totp", "Second factors", "Add authenticator app"),
  ...sessionOnly,
  description: "Makes a secret for an authenticator app. It counts after the first code.",
  responses: {
    200: json(
      z
        .object({
          secret: z.string().openapi({ description: "The secret in base32, to be typed." }),
          uri: z.string().openapi({ description: "The secret for an app on the same device." }),
          qr: z.string().openapi({ description: "The URI as a QR code, an SVG." }),
        })
        .openapi("NewAuthenticatorApp", {
          description: "What an authenticator app needs. It is shown only now.",
          example: {
            secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
            uri: "otpauth://totp/Tern:ann%40example.com?issuer=Tern&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
            qr: "<svg></svg>",
          },
        }),
      "The secret.",
    ),
    ...conflicting("The person has an authenticator app."),
  },
});

const addedFactor = z
  .object({ recoveryCodes: FirstRecoveryCodes })
  .openapi({ description: "The factor counts from now on.", example: { recoveryCodes: [EXAMPLE_RECOVERY_CODE] } });

export const confirmTotp = createRoute({
  ...operation("post", "/api/auth/mfa/totp/confirm", "Second factors", "Confirm authenticator app"),
  ...sessionOnly,
  description: "Ends the enrolment with the app's first code. The session gets a new cookie.",
  request: jsonBody(z.strictObject({ code: CodeInput }).openapi("FirstCode", { description: "The app's first code." })),
  responses: {
    200: jsonWithCookie(addedFactor, "Sign-ins now ask for a second factor."),
    ...conflicting("There is no enrolment, or it is older than 15 minutes."),
  },
});

export const removeTotp = createRoute({
  ...operation("delete", "/api/auth/mfa/totp", "Second factors", "Remove authenticator app"),
  ...sessionOnly,
  description: "The session gets a new cookie.",
  responses: { 200: jsonWithCookie(Success, "The codes of the app no longer work."), 404: errorRef(404) },
});

export const replaceRecoveryCodes = createRoute({
  ...operation("post", "/api/auth/mfa/recovery-codes", "Second factors", "Replace recovery codes"),
  ...sessionOnly,
  description: "The former ones no longer work. The session gets a new cookie.",
  responses: {
    200: jsonWithCookie(
      z.object({ recoveryCodes: RecoveryCodeList }).openapi({ description: "The new recovery codes." }),
      "The new codes.",
    ),
    ...conflicting("The person has no second factor."),
  },
});

export const undoFactors = createRoute({
  ...operation("post", "/api/auth/mfa/undo", "Second factors", "Undo second factors"),
  security: [],
  description:
    "With the link of the mail about a first second factor, or about replaced recovery codes. Removes the factors and recovery codes that were added since, ends all sessions and the password, restores the address that got the mail, and sends a mail with a link to set a new password.",
  request: jsonBody(
    z
      .strictObject({ token: TokenInput })
      .openapi("UndoSecondFactors", { description: "The token of the mail about the change." }),
  ),
  responses: { 200: json(Success, "The person has the factors from before."), ...refused },
});

export const startPasskey = createRoute({
  ...operation("post", "/api/auth/passkeys/options", "Second factors", "Start passkey"),
  ...sessionOnly,
  description: "Options for a new passkey.",
  responses: { ...options, ...conflicting("The person has 20 passkeys.") },
});

export const addPasskey = createRoute({
  ...operation("post", "/api/auth/passkeys", "Second factors", "Add passkey"),
  ...sessionOnly,
  description: "The body is the browser's answer with a name. The session gets a new cookie.",
  request: jsonBody(NewPasskey),
  responses: {
    201: jsonWithCookie(
      z
        .object({ passkey: PasskeyBody, recoveryCodes: FirstRecoveryCodes })
        .openapi({ description: "The new passkey." }),
      "The passkey can sign in.",
    ),
    ...conflicting("The passkey was added before, or the person has 20."),
  },
});

export const renamePasskey = createRoute({
  ...operation("patch", "/api/auth/passkeys/{id}", "Second factors", "Rename passkey"),
  ...sessionOnly,
  description: "Changes the name of a passkey.",
  request: {
    params: idParams("passkey"),
    ...jsonBody(z.strictObject({ name: PasskeyName }).openapi("PasskeyChange", { description: "A new name." })),
  },
  responses: {
    200: json(z.object({ passkey: PasskeyBody }).openapi({ description: "The renamed passkey." }), "The passkey."),
  },
});

export const removePasskey = createRoute({
  ...operation("delete", "/api/auth/passkeys/{id}", "Second factors", "Remove passkey"),
  ...sessionOnly,
  description: "The session gets a new cookie.",
  request: { params: idParams("passkey") },
  responses: { 200: jsonWithCookie(Success, "The passkey no longer works.") },
});

export const startPasskeySignIn = createRoute({
  ...operation("post", "/api/auth/passkeys/sign-in/options", "Second factors", "Start passkey sign in"),
  security: [],
  description: "Options for a sign-in with a passkey alone. The answer must come from the same browser.",
  responses: { 200: jsonWithCookie(WebAuthnOptions, OPTIONS), ...refused },
});

export const signInByPasskey = createRoute({
  ...operation("post", "/api/auth/passkeys/sign-in", "Second factors", "Sign in with passkey"),
  security: [],
  description: "The body is the browser's answer. The authenticator must have verified the person.",
  request: jsonBody(AssertionInput),
  responses: { 200: jsonWithCookie(SignedIn, "The person is signed in."), ...refused },
});
