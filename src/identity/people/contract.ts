import { createRoute, z } from "@hono/zod-openapi";
import {
  conflicting,
  json,
  jsonBody,
  jsonWithCookie,
  operation,
  sessionOnly,
  Success,
} from "../../platform/http/contract.ts";
import { idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { queryFlag } from "../../platform/http/query.ts";
import { END_ACCESS } from "./access/contract.ts";
import { EmailInput } from "../../platform/mail/email-address.ts";
import { hasOneMember } from "./factors/contract.ts";
import { AssertionInput, CodeInput, SecondStepBody } from "./factors/schemas.ts";
import {
  AccountBody,
  PasswordInput,
  refused,
  SessionBody,
  SignedIn,
  TokenInput,
  UserBody,
  UserName,
} from "./schemas.ts";
import { Notice } from "./notices/contract.ts";
import { because } from "../../platform/http/faults.ts";

/** A session, or the wait for a second factor. */
const SignInOutcome = z.union([SignedIn, SecondStepBody]);

const SAME_ANSWER = "The same answer whether or not the address has a user.";
const accepted = { 202: json(Success, SAME_ANSWER) };

const tokenOf = (name: string, source: string) =>
  z.strictObject({ token: TokenInput }).openapi(name, { description: `The token of the ${source}.` });

export const signUp = createRoute({
  ...operation("post", "/api/auth/sign-up", "Sign-in", "Sign up"),
  security: [],
  description:
    "Sends a mail with a link that verifies the address. A person who has an account is told so by mail. With `invitation` there is no mail: the person is signed in at once, and a member of the team.",
  request: jsonBody(
    z
      .strictObject({
        email: EmailInput,
        password: PasswordInput,
        name: UserName,
        invitation: TokenInput.optional().openapi({
          description:
            "The token of the mail of an invitation. `email` must be the invited address. The invitation is accepted.",
        }),
      })
      .openapi("SignUp", { description: "A person who wants an account." }),
  ),
  responses: {
    200: jsonWithCookie(SignedIn, "With `invitation`: the person is signed in."),
    202: jsonWithCookie(Success, SAME_ANSWER),
    ...refused,
    ...conflicting("With `invitation`: the address has an account, or the team is full."),
  },
});

export const verifyEmail = createRoute({
  ...operation("post", "/api/auth/verify-email", "Sign-in", "Verify address"),
  security: [],
  description: "Creates the user and a personal account, and signs in.",
  request: jsonBody(
    z
      .strictObject({
        token: TokenInput,
        password: PasswordInput.optional().openapi({
          description: "Required in another browser than that of the sign-up, whose password then does not count.",
        }),
      })
      .openapi("VerifyEmail", { description: "The token of the mail." }),
  ),
  responses: { 200: jsonWithCookie(SignedIn, "The person is signed in."), ...refused },
});

export const signIn = createRoute({
  ...operation("post", "/api/auth/sign-in", "Sign-in", "Sign in"),
  security: [],
  description:
    "A wrong password and an unknown address have the same answer. A person with a second factor gets a cookie for POST /api/auth/sign-in/mfa in place of a session.",
  request: jsonBody(
    z
      .strictObject({ email: EmailInput, password: PasswordInput })
      .openapi("SignIn", { description: "An address and its password." }),
  ),
  responses: {
    200: jsonWithCookie(SignInOutcome, "The person is signed in, or a second factor is needed."),
    ...refused,
  },
});

export const signInByLink = createRoute({
  ...operation("post", "/api/auth/sign-in/link", "Sign-in", "Sign in by link"),
  security: [],
  description: "With the link that `npm run account -- sign-in` prints, or on localhost with that of `npm start`.",
  request: jsonBody(tokenOf("SignInByLink", "link")),
  responses: {
    200: jsonWithCookie(SignInOutcome, "The person is signed in, or a second factor is needed."),
    ...refused,
  },
});

export const signOut = createRoute({
  ...operation("post", "/api/auth/sign-out", "Sign-in", "Sign out"),
  ...sessionOnly,
  description: "Ends the session of this request.",
  responses: { 200: jsonWithCookie(Success, "The session has ended.") },
});

export const getSession = createRoute({
  ...operation("get", "/api/auth/session", "Sign-in", "Get session"),
  ...sessionOnly,
  description: "Who is signed in, and for which accounts.",
  responses: {
    200: json(
      z.object({
        session: SessionBody,
        user: UserBody,
        accounts: z.array(AccountBody).openapi({ description: "The personal account first." }),
        isOperator: z.boolean().openapi({ description: "Whether the person is an operator of the service." }),
        notices: z.array(Notice).openapi({
          description:
            "What the person would be told by mail and has not dismissed, newest first, for up to 30 days. Empty where mails can be sent.",
        }),
      }),
      "The session of this request.",
    ),
  },
});

export const listSessions = createRoute({
  ...operation("get", "/api/auth/sessions", "Sign-in", "List sessions"),
  ...sessionOnly,
  description: "The browsers in which the person is signed in, newest first.",
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("sessions", SessionBody, "The sessions of the page.", "A page of sessions.") },
});

export const endSession = createRoute({
  ...operation("delete", "/api/auth/sessions/{id}", "Sign-in", "End session"),
  ...sessionOnly,
  request: { params: idParams("session") },
  responses: { 200: json(Success, "The session has ended.") },
});

export const endOtherSessions = createRoute({
  ...operation("delete", "/api/auth/sessions", "Sign-in", "End other sessions"),
  ...sessionOnly,
  description: "Ends all sessions of the person but this one, and the marks of other devices that are known.",
  request: {
    query: z.strictObject({ endAccess: queryFlag.optional().openapi({ default: true, description: END_ACCESS }) }),
  },
  responses: { 200: jsonWithCookie(Success, "The other sessions have ended.") },
});

export const confirm = createRoute({
  ...operation("post", "/api/auth/confirm", "Sign-in", "Confirm identity"),
  ...sessionOnly,
  description:
    "For the next 10 minutes the session may do what needs a confirmed identity. With a second factor, the password is not enough.",
  request: jsonBody(
    z
      .strictObject({
        password: PasswordInput.optional().openapi({
          description: "The password, of a person without second factors.",
        }),
        code: CodeInput.optional(),
        passkey: AssertionInput.optional(),
        local: z.literal(true).optional().openapi({
          description: "Only on localhost, of a person who has neither a password nor second factors.",
        }),
      })
      .refine(hasOneMember, because("not_one_given", { allowed: ["password", "code", "passkey", "local"] }))
      .openapi("Confirm", { description: "One proof of the identity.", example: { code: "492039" } }),
  ),
  responses: { 200: json(Success, "The identity is confirmed.") },
});

export const forgotPassword = createRoute({
  ...operation("post", "/api/auth/password/forgot", "Sign-in", "Forgot password"),
  security: [],
  description: "Sends a mail with a link to set a new password.",
  request: jsonBody(z.strictObject({ email: EmailInput }).openapi("ForgotPassword", { description: "An address." })),
  responses: { ...accepted, ...refused },
});

export const resetPassword = createRoute({
  ...operation("post", "/api/auth/password/reset", "Sign-in", "Reset password"),
  security: [],
  description: "Ends all sessions of the person and signs nobody in.",
  request: jsonBody(
    z
      .strictObject({ token: TokenInput, password: PasswordInput })
      .openapi("ResetPassword", { description: "The token of the mail and a new password." }),
  ),
  responses: { 200: json(Success, "The password is changed."), ...refused },
});

const ChangePassword = z
  .strictObject({
    currentPassword: PasswordInput.openapi({ description: "The current password." }),
    password: PasswordInput.openapi({ description: "The new password, of 12 to 128 characters." }),
    endAccess: z.boolean().optional().openapi({ default: true, description: END_ACCESS }),
  })
  .openapi("ChangePassword", { description: "The present and the new password." });
export type ChangePassword = z.infer<typeof ChangePassword>;

export const changePassword = createRoute({
  ...operation("post", "/api/auth/password/change", "Sign-in", "Change password"),
  ...sessionOnly,
  description: "Ends the other sessions of the person. This one gets a new cookie.",
  request: jsonBody(ChangePassword),
  responses: { 200: jsonWithCookie(Success, "The password is changed.") },
});

export const changeEmail = createRoute({
  ...operation("post", "/api/auth/email/change", "Sign-in", "Change address"),
  ...sessionOnly,
  description: "Sends a link to the new address, and to the old one a notice with which it can be kept.",
  request: jsonBody(
    z
      .strictObject({ email: EmailInput })
      .openapi("ChangeEmail", { description: "The new address.", example: { email: "ann.lee@example.com" } }),
  ),
  responses: accepted,
});

export const confirmEmail = createRoute({
  ...operation("post", "/api/auth/email/confirm", "Sign-in", "Confirm address"),
  ...sessionOnly,
  description: "Only in a session of the person who asked for the change.",
  request: jsonBody(tokenOf("ConfirmEmail", "mail")),
  responses: { 200: jsonWithCookie(Success, "The address is changed.") },
});

export const undoEmail = createRoute({
  ...operation("post", "/api/auth/email/undo", "Sign-in", "Undo address"),
  security: [],
  description:
    "Restores the former address, removes the second factors that were added since, or first ones of the last 7 days, ends all sessions and the password, and sends a mail with a link to set a new password.",
  request: jsonBody(tokenOf("UndoEmail", "mail")),
  responses: { 200: json(Success, "The address is as it was."), ...refused },
});
