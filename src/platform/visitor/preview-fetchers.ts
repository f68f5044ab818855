// Services that fetch a link to show a preview of it in a post or a chat. Search engines are not among them.
const FETCHER =
  /facebookexternalhit|facebot|meta-externalfetcher|twitterbot|linkedinbot|slackbot|slack-imgproxy|^whatsapp(?:\/|$)|telegrambot|discordbot|^pinterest\/\d|pinterestbot|redditbot|skypeuripreview|vkshare|iframely|embedly|(?:^|\()(?:mastodon|pleroma|misskey|akkoma)\b|cardyb|snap url preview|^viber\/|kakaotalk-scrap|line-poker|^synapse \(bot|^tumblr\/|google-pagerenderer/i;

export function isPreviewFetcher(userAgent: string): boolean {
  return FETCHER.test(userAgent);
}
