export function redirectTo(location: string, status: number, cacheControl: string, requestId: string): Response {
  return new Response(null, {
    status,
    headers: { Location: location, "Cache-Control": cacheControl, "X-Request-Id": requestId },
  });
}
