import { Page } from "../../ui/layout.tsx";

export const SharedPage = () => <Page title="SharedPage">…</Page>;
