import { Page } from "../../ui/layout.tsx";

export const LinksPage = () => <Page title="LinksPage">…</Page>;
