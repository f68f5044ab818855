import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { readRequest } from "../../lib/authorization-request.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { OpenLayout } from "../../ui/open-layout.tsx";
import { RefusedPage } from "./refused-page.tsx";
import { RequestPage } from "./request-page.tsx";

const { none } = texts.authorize;

/** Asks the person whether an app may use an account (OAuth 2.1). Programs open it by `GET /oauth/authorize`. */
export function AuthorizePage() {
  const [query] = useState(readRequest);
  if (query === null)
    return (
      <OpenLayout title={none.title} lead={none.text}>
        <Button asChild>
          <Link to="/settings/$section" params={{ section: "apps" }}>
            {none.toApps}
          </Link>
        </Button>
      </OpenLayout>
    );
  const params = new URLSearchParams(query);
  const error = params.get("error");
  if (error !== null)
    return <RefusedPage isUnknown={error === "invalid_client"} code={error} detail={params.get("error_description")} />;
  return <RequestPage query={query} />;
}
