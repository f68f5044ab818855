/**
 * Hosts under which many people publish, each at a name or path of their own. A list of hosts that has one of them means a page
 * there, so such an entry covers nothing.
 */
const SHARED = new Set(
  `000webhostapp.com 1drv.ms amazonaws.com appspot.com archive.org azureedge.net azurefd.net azurestaticapps.net
  azurewebsites.net b-cdn.net backblazeb2.com bitbucket.io bitly.com blob.core.windows.net blogspot.com box.com canva.com
  canva.site carrd.co cloudapp.azure.com cloudfront.net codeberg.page codesandbox.io core.windows.net deno.dev
  discord.com discordapp.com docs.google.com docs.microsoft.com drive.google.com dropbox.com dropboxusercontent.com
  duckdns.org ddns.net edgeone.app evernote.com facebook.com figma.com figma.site firebaseapp.com fly.dev forms.gle
  framer.app framer.website ghost.io gitbook.io github.com github.io githubusercontent.com gitlab.com gitlab.io glitch.me
  godaddysites.com google.com googleusercontent.com herokuapp.com hostingerapp.com hubspotpagebuilder.com
  hs-sites.com instagram.com ipfs.dweb.link dweb.link ipfs.io jimdofree.com jimdosite.com jotform.com linkedin.com linktr.ee
  live.com lovable.app medium.com mediafire.com mega.nz microsoft.com myportfolio.com myshopify.com mystrikingly.com
  mybluehost.me netlify.app ngrok.io ngrok-free.app notion.site notion.so on.aws onrender.com onedrive.live.com
  outlook.com pages.dev pantheonsite.io pinterest.com plesk.page r2.dev railway.app reddit.com render.com replit.app
  repl.co repl.dev run.app s3.amazonaws.com scratch.mit.edu sharepoint.com shopify.com sites.google.com slack.com
  soundcloud.com squarespace.com squareup.com square.site storage.googleapis.com googleapis.com strikingly.com substack.com
  surge.sh surveymonkey.com t.me telegram.me telegra.ph tiktok.com translate.goog trello.com trycloudflare.com tumblr.com
  twitter.com typeform.com typedream.app ukit.me vercel.app vercel.dev vk.com web.app webflow.io web.core.windows.net
  weebly.com weeblysite.com wetransfer.com whatsapp.com wikipedia.org windows.net wix.com wixsite.com wixstudio.com
  wordpress.com workers.dev x.com xsph.ru yahoo.com yandex.ru yolasite.com youtube.com youtu.be zendesk.com zoho.com`.split(
    /\s+/,
  ),
);

export function isSharedHost(host: string): boolean {
  return SHARED.has(host);
}
