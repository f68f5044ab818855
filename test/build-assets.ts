import { buildDashboard } from "../tools/scripts/build-dashboard.ts";
import { buildDocuments } from "../tools/scripts/build-documents.ts";

/** Builds what the binding ASSETS has, before any test. */
export default function buildAssets(): void {
  buildDashboard();
  buildDocuments();
}
