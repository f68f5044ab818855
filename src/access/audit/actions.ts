/** What the audit log records. */
export const AUDIT_ACTIONS = [
  "user.sign_up",
  "user.sign_in",
  "user.sign_in_link",
  "user.update",
  "session.end",
  "password.change",
  "password.reset",
  "password.reset_link",
  "email.change",
  "email.undo",
  "totp.add",
  "totp.remove",
  "passkey.add",
  "passkey.rename",
  "passkey.remove",
  "recovery_codes.replace",
  "recovery_code.use",
  "factors.reset",
  "factors.undo",
  "app.connect",
  "app.disconnect",
  "key.create",
  "key.update",
  "key.revoke",
  "webhook.create",
  "webhook.update",
  "webhook.enable",
  "webhook.disable",
  "webhook.rotate_secret",
  "webhook.delete",
  "listener.create",
  "listener.delete",
  "domain.add",
  "domain.verify",
  "domain.update",
  "domain.delete",
  "shared_page.create",
  "shared_page.update",
  "shared_page.delete",
  "account.update",
  "export.create",
  "export.download",
  "links.claim",
  "account.delete",
  "account.restore",
  "team.delete",
  "team.restore",
  "team.create",
  "team.transfer",
  "member.add",
  "member.update",
  "member.remove",
  "invitation.create",
  "invitation.revoke",
  "invitation.decline",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What an action is about: its part before the dot. */
export type AuditKind = AuditAction extends infer Name
  ? Name extends `${infer Kind}.${string}`
    ? Kind
    : never
  : never;

export const AUDIT_KINDS = [...new Set(AUDIT_ACTIONS.map((name) => name.slice(0, name.indexOf(".")) as AuditKind))];
