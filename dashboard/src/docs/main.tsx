import "../lib/preact.ts";
import { createRoot } from "react-dom/client";
import { Tooltips } from "../ui/tooltip.tsx";
import { Reference } from "./reference.tsx";

const container = document.getElementById("root");
if (container === null) throw new Error("docs.html has no element #root.");

createRoot(container).render(
  <>
    <Reference />
    <Tooltips />
  </>,
);
