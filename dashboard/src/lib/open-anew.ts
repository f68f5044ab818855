/**
 * Loads a page anew, by default the one that is shown. Without the service, the page stays: the browser would show an error
 * page in its place. Returns whether the service can be reached.
 */
export async function openAnew(href = location.href): Promise<boolean> {
  try {
    await fetch(href, { method: "HEAD" });
  } catch {
    return false;
  }
  if (href === location.href) location.reload();
  else location.assign(href);
  return true;
}
