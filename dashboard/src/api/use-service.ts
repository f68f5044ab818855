import { useQuery } from "@tanstack/react-query";
import { call } from "./client.ts";
import type { ServiceInfo } from "./types.ts";

/** What the service offers; undefined until it is known. */
export function useService(): ServiceInfo | undefined {
  return useServiceQuery().data?.service;
}

export function useServiceQuery() {
  return useQuery({
    queryKey: ["service"],
    queryFn: ({ signal }) => call<{ service: ServiceInfo }>("GET", "/api/service", { signal }),
  });
}
