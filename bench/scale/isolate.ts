// What an isolate that serves redirects does with its clicks. Loaded as often as the simulation has isolates: each copy has its
// own buffer and its own memory of overloaded ClickLogs.

export { bufferClick } from "../../src/clicks/capture/buffer.ts";

/** wrangler refuses an entry point that lacks one of the Durable Objects of wrangler.toml. Here nothing calls them. */
const uncalled = null;
export {
  uncalled as ClickLog,
  uncalled as JobRunner,
  uncalled as PasswordHasher,
  uncalled as RateLimiter,
  uncalled as Screener,
};

export default {};
