/** The texts of app.html, which are shown while the page is loading. */
export const frame = {
  failed: "The page could not be loaded. Check your connection.",
  noScript: "The dashboard needs JavaScript. Short links and the API work without it.",
  slow: "The page is still loading. Your connection is slow.",
};
