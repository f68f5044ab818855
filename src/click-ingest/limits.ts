/** Click batches per call to a ClickLog if webhooks subscribe to clicks. They name up to 600 links, about 10 MB; a call may carry 32 MB. */
export const MAX_BATCHES_WITH_RECIPIENTS = 10;
