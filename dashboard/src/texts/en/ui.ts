export const ui = {
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  copyRefused: "The browser did not allow copying. Select the text and press Ctrl+C.",
  hidePassword: "Hide the password",
  loading: "Loading",
  notifications: "Notifications",
  retry: "Try again",
  save: "Save",
  showPassword: "Show the password",
  undo: "Undo",
};
