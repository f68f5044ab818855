export { ClaimPage } from "./claim-page.tsx";
export { ConfirmEmailPage } from "./confirm-email-page.tsx";
export { ForgotPasswordPage } from "./forgot-password-page.tsx";
export { InvitationPage } from "./invitation-page.tsx";
export { ResetPasswordPage } from "./reset-password-page.tsx";
export { RestoreAccountPage } from "./restore-account-page.tsx";
export { UndoEmailPage, UndoFactorPage } from "./undo-pages.tsx";
export { VerifyEmailPage } from "./verify-email-page.tsx";
