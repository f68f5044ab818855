export const language = {
  browser: "As in the browser",
  hint: "For the dashboard and your mails. The documents and the API reference are in English.",
  label: "Language",
};
