import {
  MAIL_WINDOW_MS,
  MAX_MAILS_PER_KIND,
  MAX_USER_PASSWORD_CHARS,
  MIN_USER_PASSWORD_CHARS,
} from "../../../../src/limits.ts";

const MAIL_WINDOW_MINUTES = MAIL_WINDOW_MS / 60_000;

export const signIn = {
  address: "E-mail address",
  addressMissing: "Enter your address.",
  claimed: (count: number) =>
    count === 1
      ? "The link that you shortened before is now yours"
      : `${count} links that you shortened before are now yours`,
  claimedText: "They no longer expire.",
  claimRefused: "The links that you shortened before stay as they are for now",
  codeMissing: "Enter the code.",
  deadLink: {
    title: "This link no longer works",
    text: "It was used already, has expired, or a newer mail replaced it.",
  },
  missingToken: {
    title: "Open the link of the mail",
    text: "This page needs the link that the mail has. If you reloaded the page, open the mail's link again.",
  },
  forgot: {
    action: "Send the link",
    back: "Back to sign in",
    lead: "Enter your address, and we send a link with which you set a new password.",
    link: "Forgot your password?",
    sentTitle: "Check your mail",
    sent: (email: string) =>
      `If ${email} has an account, a mail with a link is there in a moment. The link works for 30 minutes.`,
    title: "Set a new password",
  },
  name: "Your name",
  nameMissing: "Enter your name.",
  newPassword: {
    label: "New password",
    checked: "Passwords from known breaches of other services are refused too.",
    common: "Not a common password",
    length: (length: number) =>
      length === 0
        ? `${MIN_USER_PASSWORD_CHARS} to ${MAX_USER_PASSWORD_CHARS} characters, such as a few words`
        : `${MIN_USER_PASSWORD_CHARS} to ${MAX_USER_PASSWORD_CHARS} characters (now ${length})`,
    met: "met",
    notMet: "not met",
    own: "Not made of your name, your address or words of this service",
  },
  noMail:
    "This service cannot send mails yet, so nobody can sign up or set a new password. Its operator can change that.",
  noSignIn: "Nobody can sign in here yet: the service does not know its own address. Its operator must set BASE_URL.",
  or: "or",
  outbox: {
    action: "Open the link of the mail",
    title: "This service runs on your computer and sends no mails",
    text: (subject: string) => `It would have sent “${subject}”.`,
  },
  password: "Password",
  passwordMissing: "Enter your password.",
  passkey: "Sign in with a passkey",
  resent: "A new mail is under way. The link of the earlier one no longer works.",
  reset: {
    action: "Set the password",
    another: "Send a new link",
    done: "Your password is set",
    doneText: "All sessions have ended. Sign in with the new password.",
    lead: "All browsers that are signed in have to sign in again.",
    title: "Set a new password",
  },
  restore: {
    action: "Restore my account",
    done: "Your account is back",
    lead: "You deleted it less than 7 days ago. Your links, keys and teams come back as they were if you restore it now.",
    leave: "Sign out, and let it be deleted",
    title: "This account is deleted",
  },
  second: {
    again: "That took longer than five minutes. Enter your password again.",
    back: "Use another account",
    code: "Code of your authenticator app",
    codeHint: "Six digits, which change every 30 seconds.",
    lead: "Your password is right. Now prove that it is you.",
    passkey: "Use a passkey",
    recovery: "Recovery code",
    recoveryHint: "One of the codes that you kept when you set this up. Each works once.",
    recoveryUsed: "You signed in with a recovery code",
    recoveryUsedText: "It works no more. Replace a lost app or passkey in the next 10 minutes.",
    settings: "Security settings",
    title: "Second step",
    toCode: "Use a code of the app instead",
    toRecovery: "I have none of these: use a recovery code",
  },
  service: "API reference",
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  goOn: "Go on",
  signIn: {
    action: "Sign in",
    newHere: "New here?",
    title: "Sign in",
  },
  linkSignIn: { title: "Signing you in", text: "The link of the terminal is being checked." },
  signUp: {
    action: "Create account",
    check: {
      other: "Use another address",
      resend: "Send it again",
      resendHint: `Nothing there after a few minutes? Look among the unwanted mails, or have it sent again: at most ${MAX_MAILS_PER_KIND} mails in ${MAIL_WINDOW_MINUTES} minutes.`,
      text: (email: string) =>
        `We sent a link to ${email}. Open it in this browser, and you are in. It works for 24 hours.`,
      title: "Check your mail",
    },
    closed: "Nobody can sign up here: the operator of this service creates all accounts.",
    domains: "Only addresses of some organisations can sign up here, and those with an invitation.",
    has: "Have an account?",
    invited: "Only people with an invitation can sign up here. Use the address that got it.",
    lead: "Free of cost, and your first short link is a minute away.",
    link: "Create an account",
    title: "Create your account",
  },
  verify: {
    action: "Verify and sign in",
    again: "Sign up again",
    elsewhere: "You signed up in another browser. Set the password here, so that we know it is yours.",
    pending: "Verifying your address",
    title: "Verify your address",
  },
  confirmEmail: {
    done: "Your address is changed",
    pending: "Changing your address",
    settings: "Go to my profile",
    signIn: "Sign in to go on",
    signedOut: "Sign in with your present address to confirm the new one.",
    title: "Confirm your new address",
    wrong: "Another person asked for this change. Sign in as that person.",
  },
  undoEmail: {
    action: "Keep my address",
    done: "Your address is back",
    doneText: "All sessions have ended. We sent a mail to this address, with a link to set a new password.",
    lead: "Somebody wants to change the address of your account, or has done so. If it was not you, keep this one: all sessions end, the present password stops working, and you get a mail to set a new one.",
    leave: "It was me: change nothing",
    title: "Keep your address?",
  },
  invitation: {
    accept: "Join the team",
    accepted: (team: string) => `You are a member of ${team}`,
    decline: "Decline",
    declined: "The invitation is declined",
    declinedText: "Nobody but the team's owners and admins can see that.",
    lead: "Somebody invited you to a team. Its members share links, domains and statistics. Nothing of your own account changes.",
    signedOut: "Sign in with the address that got the invitation, or create an account with it.",
    signIn: "Sign in",
    switch: "Sign in with another address",
    title: "Join a team",
    wrongAddress: (email: string) =>
      `This invitation is for another address than ${email}. Sign in with the address that got the mail, or ask the team to invite ${email}.`,
  },
};
