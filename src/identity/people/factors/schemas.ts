import { z } from "@hono/zod-openapi";
import { Id } from "../../../platform/http/id.ts";
import { lineOfProse, Timestamp } from "../../../platform/http/validation.ts";
import {
  MAX_PASSKEY_NAME_CHARS,
  MAX_PASSKEY_TRANSPORT_CHARS,
  MAX_PASSKEY_TRANSPORTS,
  MAX_RECOVERY_CODE_CHARS,
  MAX_TOTP_CODE_CHARS,
  MAX_WEBAUTHN_VALUE_CHARS,
} from "../limits.ts";
import { because } from "../../../platform/http/faults.ts";

const EXAMPLE_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
const EXAMPLE_VALUE = "q7Hn0Cj1yq3fR2mXv8bT5kZs9wL4dP6gA0eUiYoNcWx";
export const EXAMPLE_RECOVERY_CODE = "mzxw-6ytb-oi2d-k4tf-nq7a-hr3e";

export const CodeInput = z.string().min(1).max(MAX_TOTP_CODE_CHARS).openapi({
  description: "The six digits that the authenticator app shows. Each code works once.",
  example: "492039",
});

export const RecoveryCodeInput = z.string().min(1).max(MAX_RECOVERY_CODE_CHARS).openapi({
  description: "A recovery code. It works once. Case, spaces and hyphens do not count.",
  example: EXAMPLE_RECOVERY_CODE,
});

export const PasskeyName = lineOfProse(MAX_PASSKEY_NAME_CHARS).openapi({
  description: "The name by which the person knows the passkey.",
  example: "Ann's phone",
});

const binary = (description: string) =>
  z
    .string()
    .max(MAX_WEBAUTHN_VALUE_CHARS)
    .regex(/^[\w-]*$/, because("wrong_form", { expected: "base64url" }))
    .openapi({ description, example: EXAMPLE_VALUE });

const credential = {
  id: binary("The id of the credential, in base64url."),
  rawId: binary("The same."),
  type: z.literal("public-key").openapi({ description: "The type of the credential." }),
  authenticatorAttachment: z
    .string()
    .max(MAX_PASSKEY_TRANSPORT_CHARS)
    .nullish()
    .openapi({ description: "Where the authenticator is, such as `platform`." }),
  clientExtensionResults: z.looseObject({}).openapi({ description: "Results of extensions. None is used." }),
};

// Browsers may add members to their answers, so unknown ones are not errors.

/** The browser's answer to the options of a new passkey (WebAuthn 3, RegistrationResponseJSON). */
const registrationAnswer = {
  ...credential,
  response: z
    .looseObject({
      clientDataJSON: binary("What the browser signed, in base64url."),
      attestationObject: binary("The new public key with its attestation, in base64url."),
      transports: z
        .array(z.string().max(MAX_PASSKEY_TRANSPORT_CHARS))
        .max(MAX_PASSKEY_TRANSPORTS)
        .optional()
        .openapi({ description: "How the authenticator can be reached.", example: ["internal"] }),
    })
    .openapi({ description: "The authenticator's answer." }),
};

/** The browser's answer to the options of a proof (WebAuthn 3, AuthenticationResponseJSON). */
export const AssertionInput = z
  .looseObject({
    ...credential,
    response: z
      .looseObject({
        clientDataJSON: binary("What the browser signed, in base64url."),
        authenticatorData: binary("What the authenticator signed, in base64url."),
        signature: binary("The signature, in base64url."),
        userHandle: binary("The user's handle, in base64url.").nullish(),
      })
      .openapi({ description: "The authenticator's answer." }),
  })
  .openapi("PasskeyAnswer", {
    description: "What `navigator.credentials.get` returned, as its `toJSON()` writes it.",
    example: {
      id: EXAMPLE_VALUE,
      rawId: EXAMPLE_VALUE,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: EXAMPLE_VALUE,
        authenticatorData: EXAMPLE_VALUE,
        signature: EXAMPLE_VALUE,
        userHandle: EXAMPLE_VALUE,
      },
    },
  });
export type AssertionAnswer = z.infer<typeof AssertionInput>;

export const NewPasskey = z
  .looseObject({ ...registrationAnswer, name: PasskeyName.default("Passkey") })
  .openapi("NewPasskey", {
    description: "What `navigator.credentials.create` returned, as its `toJSON()` writes it, and a name.",
    example: {
      id: EXAMPLE_VALUE,
      rawId: EXAMPLE_VALUE,
      type: "public-key",
      clientExtensionResults: {},
      response: { clientDataJSON: EXAMPLE_VALUE, attestationObject: EXAMPLE_VALUE, transports: ["internal"] },
      name: "Ann's phone",
    },
  });
export type RegistrationAnswer = z.infer<typeof NewPasskey>;

export const PasskeyBody = z
  .object({
    id: Id,
    name: PasskeyName,
    synced: z.boolean().openapi({ description: "Whether it can be on several devices." }),
    createdAt: Timestamp.openapi({ description: "When it was added, in Unix milliseconds." }),
    lastUsedAt: Timestamp.nullable().openapi({ description: "When it was last used; null: never." }),
  })
  .openapi("Passkey", {
    description: "A passkey of the person.",
    example: {
      id: EXAMPLE_ID,
      name: "Ann's phone",
      synced: true,
      createdAt: 1_790_000_000_000,
      lastUsedAt: null,
    },
  });
export type PasskeyBody = z.infer<typeof PasskeyBody>;

export const RecoveryCodeList = z.array(z.string()).openapi({
  description: "Ten recovery codes, which are shown only now.",
  example: [EXAMPLE_RECOVERY_CODE],
});

/** Of the first factor; null for others. */
export const FirstRecoveryCodes = RecoveryCodeList.nullable().openapi({
  description: "Ten recovery codes, which are shown only now; null: the person has some already.",
  example: [EXAMPLE_RECOVERY_CODE],
});

/** Options for the browser's WebAuthn call, as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` take them. */
export const WebAuthnOptions = z
  .looseObject({ challenge: z.string().openapi({ description: "The challenge, in base64url." }) })
  .openapi("WebAuthnOptions", {
    description: "What the browser's WebAuthn call needs, in the JSON form of WebAuthn 3.",
    example: { challenge: EXAMPLE_VALUE, rpId: "tern.example", userVerification: "required", timeout: 60_000 },
  });

export const SecondStepBody = z
  .object({
    mfa: z
      .array(z.enum(["totp", "passkey", "recovery"]))
      .openapi({ description: "What the second step accepts.", example: ["totp", "recovery"] }),
  })
  .openapi("SecondStep", { description: "The password is right, and a second factor is needed." });
