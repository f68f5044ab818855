import { Page } from "../../ui/layout.tsx";

export const MovingPage = () => <Page title="MovingPage">…</Page>;
