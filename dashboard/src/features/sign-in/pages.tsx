import { Page } from "../../ui/layout.tsx";

export const SignInPage = () => <Page title="SignInPage">…</Page>;
export const SignUpPage = () => <Page title="SignUpPage">…</Page>;
export const VerifyEmailPage = () => <Page title="VerifyEmailPage">…</Page>;
export const ForgotPasswordPage = () => <Page title="ForgotPasswordPage">…</Page>;
export const ResetPasswordPage = () => <Page title="ResetPasswordPage">…</Page>;
export const ConfirmEmailPage = () => <Page title="ConfirmEmailPage">…</Page>;
export const UndoEmailPage = () => <Page title="UndoEmailPage">…</Page>;
export const InvitationPage = () => <Page title="InvitationPage">…</Page>;
