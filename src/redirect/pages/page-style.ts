// The look of the pages of short links. They load no file of the service, so they have the system's font.

/** The colours are those of dashboard/src/styles.css. */
export const STYLE = [
  "body{font:1.1rem/1.6 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-content:center;grid-template-columns:minmax(0,34rem);padding:1.5rem;box-sizing:border-box;color:#10242e;background:#f5f7f6}",
  "header{display:flex;align-items:center;gap:.6rem;margin-bottom:1.75rem;font-weight:700;overflow-wrap:anywhere}header svg{width:2rem;height:2rem;flex:none}header img{width:3rem;height:3rem;object-fit:contain;flex:none}header img.alone{width:12rem;max-width:100%;object-position:left}[dir=rtl] header img.alone{object-position:right}",
  "h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 .5rem;overflow-wrap:anywhere;text-wrap:balance}h1:lang(ar){letter-spacing:0}p{margin:0 0 .75rem;overflow-wrap:anywhere;text-wrap:pretty}a{color:#0f5c6b}code{font-size:.95em}",
  "form{margin-top:1.25rem}label{display:block;font-weight:600}input{display:block;width:100%;box-sizing:border-box;font:inherit;color:inherit;background:#fff;border:1px solid #8a989b;border-radius:.5rem;padding:.5rem .75rem;margin:.25rem 0 1rem}",
  "button,.button{display:inline-block;font:inherit;font-weight:600;color:#fff;background:#0f5c6b;border:1px solid #0f5c6b;border-radius:.5rem;padding:.5rem 1.5rem;text-decoration:none;cursor:pointer}.wide{display:block;margin-top:1rem;text-align:center}",
  ".where{background:#ebefee;border-radius:.5rem;padding:.75rem;margin-bottom:.75rem;font:.95rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}.where b{display:block;font-size:1.05rem}.url{max-height:6em;overflow:auto}.more{font-size:.95rem;margin-top:1.25rem}",
  ":focus-visible{outline:2px solid #0f5c6b;outline-offset:2px}",
  "@media(prefers-color-scheme:dark){body{color:#e9f0ef;background:#0e171c}a{color:#5cc3cf}input{background:#142027;border-color:#60757f}button,.button{color:#06222a;background:#5cc3cf;border-color:#5cc3cf}.where{background:#1a2932}:focus-visible{outline-color:#5cc3cf}}",
  // Also in the dark.
  ".button.plain{color:inherit;background:none;border-color:currentColor}",
].join("");

/** The wings of a tern, as in dashboard/src/assets/tern.svg. */
export const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0f2a35"/><path d="M4 12.5c4.6-.9 8.3.5 11.3 4.3C18 12 22 9.3 28 9c-4.5 2.2-7.6 5.6-9.3 10.2-.6 1.7-2.4 2.3-3.9 1.4-1.4-.9-2.1-2.3-3.3-3.8C9.6 14.5 7.2 13.1 4 12.5Z" fill="#f4f8f7"/><path d="m15.6 21.4 2.9-.5-1.2 3.2Z" fill="#f2694b"/></svg>';
