/** What requests in the log can be filtered by. */
export const LOGGED_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

export const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"] as const;
