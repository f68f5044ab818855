import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, jsonWithCookie, Success } from "../http/contract.ts";
import { idParams } from "../http/id.ts";
import { NextCursor, pageQuery } from "../http/pagination.ts";
import { EmailInput } from "./email.ts";
import { hasOneMember } from "./factors/contract.ts";
import { AssertionInput, CodeInput, SecondStepBody } from "./factors/schemas.ts";
import {
  AccountBody,
  localOnly,
  PasswordInput,
  refused,
  SessionBody,
  SignedIn,
  TokenInput,
  UserBody,
  UserName,
} from "./schemas.ts";

/** A session, or the wait for a second factor. */
const SignInOutcome = z.union([SignedIn, SecondStepBody]);

/** Routes that anybody may call from the service's own pages. */
const open = { tags: ["Sign-in"], security: [] };
/** Routes for persons who are signed in. */
const own = { tags: ["Sign-in"], security: [{ session: [] }] };

const SAME_ANSWER = "The same answer whether or not the address has a user.";
const accepted = { 202: json(Success, SAME_ANSWER) };

const tokenOf = (name: string, source: string) =>
  z.strictObject({ token: TokenInput }).openapi(name, { description: `The token of the ${source}.` });

export const signUp = createRoute({
  ...open,
  method: "post",
  path: "/api/auth/sign-up",
  summary: "Sign up",
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
  ...open,
  method: "post",
  path: "/api/auth/verify-email",
  summary: "Verify address",
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
  ...open,
  method: "post",
  path: "/api/auth/sign-in",
  summary: "Sign in",
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
  ...open,
  method: "post",
  path: "/api/auth/sign-in/link",
  summary: "Sign in by link",
  description: "Only on localhost: with the link that `npm start` prints.",
  request: jsonBody(tokenOf("SignInByLink", "link")),
  responses: {
    200: jsonWithCookie(SignInOutcome, "The person is signed in, or a second factor is needed."),
    ...localOnly,
  },
});

export const signOut = createRoute({
  ...own,
  method: "post",
  path: "/api/auth/sign-out",
  summary: "Sign out",
  description: "Ends the session of this request.",
  responses: { 200: jsonWithCookie(Success, "The session has ended.") },
});

export const getSession = createRoute({
  ...own,
  method: "get",
  path: "/api/auth/session",
  summary: "Get session",
  description: "Who is signed in, and for which accounts.",
  responses: {
    200: json(
      z.object({
        session: SessionBody,
        user: UserBody,
        accounts: z.array(AccountBody).openapi({ description: "The personal account first." }),
      }),
      "The session of this request.",
    ),
  },
});

export const listSessions = createRoute({
  ...own,
  method: "get",
  path: "/api/auth/sessions",
  summary: "List sessions",
  description: "The browsers in which the person is signed in, newest first.",
  request: { query: z.strictObject(pageQuery) },
  responses: {
    200: json(
      z.object({
        sessions: z.array(SessionBody).openapi({ description: "The sessions of the page." }),
        nextCursor: NextCursor,
      }),
      "A page of sessions.",
    ),
  },
});

export const endSession = createRoute({
  ...own,
  method: "delete",
  path: "/api/auth/sessions/{id}",
  summary: "End session",
  description: "Another session than the own one needs a confirmed identity.",
  request: { params: idParams("session") },
  responses: { 200: json(Success, "The session has ended.") },
});

export const endOtherSessions = createRoute({
  ...own,
  method: "delete",
  path: "/api/auth/sessions",
  summary: "End other sessions",
  description: "Ends all sessions of the person but this one. Needs a confirmed identity.",
  responses: { 200: json(Success, "The other sessions have ended.") },
});

export const confirm = createRoute({
  ...own,
  method: "post",
  path: "/api/auth/confirm",
  summary: "Confirm identity",
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
      })
      .refine(hasOneMember, "must have one of password, code and passkey")
      .openapi("Confirm", { description: "One proof of the identity.", example: { code: "492039" } }),
  ),
  responses: { 200: json(Success, "The identity is confirmed.") },
});

export const forgotPassword = createRoute({
  ...open,
  method: "post",
  path: "/api/auth/password/forgot",
  summary: "Forgot password",
  description: "Sends a mail with a link to set a new password.",
  request: jsonBody(z.strictObject({ email: EmailInput }).openapi("ForgotPassword", { description: "An address." })),
  responses: { ...accepted, ...refused },
});

export const resetPassword = createRoute({
  ...open,
  method: "post",
  path: "/api/auth/password/reset",
  summary: "Reset password",
  description: "Ends all sessions of the person and signs nobody in.",
  request: jsonBody(
    z
      .strictObject({ token: TokenInput, password: PasswordInput })
      .openapi("ResetPassword", { description: "The token of the mail and a new password." }),
  ),
  responses: { 200: json(Success, "The password is changed."), ...refused },
});

export const changePassword = createRoute({
  ...own,
  method: "post",
  path: "/api/auth/password/change",
  summary: "Change password",
  description: "Ends the other sessions of the person. This one gets a new cookie.",
  request: jsonBody(
    z
      .strictObject({
        currentPassword: PasswordInput.openapi({ description: "The present password." }),
        password: PasswordInput.openapi({ description: "The new password, of 12 to 128 characters." }),
      })
      .openapi("ChangePassword", { description: "The present and the new password." }),
  ),
  responses: { 200: jsonWithCookie(Success, "The password is changed.") },
});

export const changeEmail = createRoute({
  ...own,
  method: "post",
  path: "/api/auth/email/change",
  summary: "Change address",
  description:
    "Sends a link to the new address, and to the old one a notice with which it can be kept. Needs a confirmed identity.",
  request: jsonBody(
    z
      .strictObject({ email: EmailInput })
      .openapi("ChangeEmail", { description: "The new address.", example: { email: "ann.lee@example.com" } }),
  ),
  responses: accepted,
});

export const confirmEmail = createRoute({
  ...own,
  method: "post",
  path: "/api/auth/email/confirm",
  summary: "Confirm address",
  description: "Only in a session of the person who asked for the change.",
  request: jsonBody(tokenOf("ConfirmEmail", "mail")),
  responses: { 200: jsonWithCookie(Success, "The address is changed.") },
});

export const undoEmail = createRoute({
  ...open,
  method: "post",
  path: "/api/auth/email/undo",
  summary: "Undo address",
  description:
    "Restores the former address, removes the second factors that were added since, or first ones of the last 7 days, ends all sessions and the password, and sends a mail with a link to set a new password.",
  request: jsonBody(tokenOf("UndoEmail", "mail")),
  responses: { 200: json(Success, "The address is as it was."), ...refused },
});
