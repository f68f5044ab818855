import { Page } from "../../ui/layout.tsx";

export const LinkPage = () => <Page title="LinkPage">…</Page>;
