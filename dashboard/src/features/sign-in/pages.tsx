export const SignInPage = () => <p>SignInPage</p>;
export const SignUpPage = () => <p>SignUpPage</p>;
export const VerifyEmailPage = () => <p>VerifyEmailPage</p>;
export const ForgotPasswordPage = () => <p>ForgotPasswordPage</p>;
export const ResetPasswordPage = () => <p>ResetPasswordPage</p>;
export const ConfirmEmailPage = () => <p>ConfirmEmailPage</p>;
export const UndoEmailPage = () => <p>UndoEmailPage</p>;
export const InvitationPage = () => <p>InvitationPage</p>;
