import { useQuery } from "@tanstack/react-query";
import { call } from "./client.ts";
import type { ServiceInfo } from "./types.ts";

/** What the service offers; undefined until it is known. */
export function useService(): ServiceInfo | undefined {
  const { data } = useQuery({
    queryKey: ["service"],
    queryFn: ({ signal }) => call<{ service: ServiceInfo }>("GET", "/api/service", { signal }),
  });
  return data?.service;
}
