import { Page } from "../../ui/layout.tsx";

export const SettingsPage = () => <Page title="SettingsPage">…</Page>;
