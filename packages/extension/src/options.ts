import { element, inputField, run } from "./elements.ts";
import { permissionFor, readOrigin, readSettings, saveSettings } from "./settings.ts";

const form = element("form");
const service = inputField("service");
const key = inputField("key");

const saved = await readSettings();
service.value = saved?.service ?? "";
key.value = saved?.key ?? "";

// The browser's own check of the URL does not permit a host without https://.
form.setAttribute("novalidate", "");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void run(form, async () => {
    const origin = readOrigin(service.value);
    const isAllowed = await chrome.permissions.request({ origins: [permissionFor(origin)] });
    if (!isAllowed) throw new Error(`The extension needs your permission to call ${origin}. Nothing was saved.`);
    service.value = origin;
    await saveSettings({ service: origin, key: key.value.trim() });
    element("message").textContent = "Saved. Open a page and click the icon of the extension.";
  });
});
