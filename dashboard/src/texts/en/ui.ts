export const ui = {
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  copyRefused: "The browser did not allow copying. Select the text and press Ctrl+C.",
  loading: "Loading",
  notifications: "Notifications",
  remove: (name: string) => `Remove ${name}`,
  retry: "Try again",
  save: "Save",
  undo: "Undo",
};
