// Names of crawlers that no word of `crawler.ts` finds. A name matches where a word starts. Lower case, as patterns.

const SEARCH =
  "ask jeeves|biglotron|bloglines|coccoc|dataprovider|datanyze|daum \\d|daumo?a\\b|duplexweb|exalead|funnelback|gigablast|ia_archive|" +
  "google[- ]?(?:ads|adwords|agent|association|certificate|extended|favicon|gemini|image|inspection|notebook|other|" +
  "page|physicalweb|podcast|read|safety|search console|site|speakr|structured|test|trust|video|web preview|xrawler)|" +
  "\\w+-google\\b|holmes/|ichiro/|larbin|magellan|netcraft|nutch|owler|panscient|psbot|searcher\\w*web|searchexpress|seznam (?:rss|screenshot)|sogou (?:web|pic|news|orion|inst|head)|steeler/|swisscows|teoma|" +
  "thumbshots|twingly|wesee|wordup|wotbox|yacy|yahoo(?:cachesystem|seeker)|yandex(?:accessibility|ad|blogs|calendar|direct|favicons|images|market|media|metrika|pagechecker|renderresources|screenshot|site|sprav|tracker|turbo|vertis|video|webmaster)|yeti/|zgrab|zyborg|geedo|globalwebsearch|theinternetsearch|library of congress|archive-it|newsgathering|thinklab";

const AI =
  "ai2bot|anthropic|bigsur\\.ai|chatgpt-user|claude-(?:user|web|search)|cohere|cotoyogi|devin/|diffbot|firecrawl|imagemind|" +
  "kimi-user|manus-user|meta-(?:external|webindexer)|mistralai|newsai|novaact|novellum|openai|opencode-|perplexity|poggio|" +
  "semantic-visions|spawning-ai|the knowledge ai|tsm-turingos|velen|youdao|zhipu";

const SEO =
  "adbeat|adidxbot|adminlabs|ahrefs|attracta|backlink|brandwatch|bdfetch|buck/|dareboost|dcrawl|dlc/\\d|evc-batch|genieo|grapeshot|" +
  "hotjar|hubspot|impact\\.com agent|keyword|linkdex|linktiger|linkwalker|majestic|marketgoo|mediavine|metauri|moreover|" +
  "netestate|optimizer\\)|outbrain|proximic|ps_daily|retrolistecom|riddler|rogerbot|rsiteauditor|screaming frog|semrush|" +
  "seokicks|serpstat|silktide|similartech|sistrix|sitesucker|trendsmap|trendiction|w3c[-_]|w3techs|wappalyzer|webcopier|webcopy|" +
  "webmeup|webzip|xenu|zoominfo|bushbaby|capitaloneshopping|criticalcss|cyotek|ds9 |ips-agent|nitro-optimizer|postrank|pwabuilder|readable/|reelevant|scope3|siteimprove|sindup|sqwatcher|twurly|yokoy";

const PREVIEWS =
  "asana/\\d|bluesky|bitly|camo\\b|chatwork|discourse|disqus|embedly|facebook(?:catalog|external|platform|scraper)|flipboard|github-camo|hatena|" +
  "iframely|imgproxy|instaparser|matrix-media|mattermost|nuzzel|pocket(?:imagecache|parser)|scissors|skypeuri|slack-imgproxy|snap url|steamchat|" +
  "tumblr/|twilioproxy|valve/steam http|vkshare|wakelet|whatsapp$|workona|xing-content|bingpreview|appsiteassociation|assetlinks|bw/\\d|exodusmovement|fastmailua|instapaper|ning/\\d|printfriendly|remove\\.bg|viber$";

const MONITORS =
  "404enemy|adventurer|alertsite|amazon cloudfront|amazon-route53|appbeat|appinsights|applicationhealth|bitdiscovery|blackbox exporter|catchpoint|cloudflare-|" +
  "collectd|copperegg|cron-job|cypress/|datadog|debugbear|dejaclick|dmbrowser|dotcom-monitor|downnotifier|dynatrace|easycron|elb-health|functionize|ghost inspector|" +
  "gomezagent|gtmetrix|happyapps|hetrix|honeybadger|hosttracker|hydrozen|jetmon|kube-probe|keycdn-tools|lighthouse|logicmonitor|monsido|" +
  "montastic|mxtoolbox|netvigie|neustar|newrelic|nimbostratus|nodeping|nomore404|ohdear|panopta|pagespeed|pingdom|playwright|prometheus|prtg|ptst[ /]|puppeteer|" +
  "rackspace|rigor[);/]|ruxit|selenium|sentry/|server density|site24x7|siteuptime|speedcurve|splash version|statuscake|sucuri|testlocally|" +
  "thousandeyes|updown|uptrends|urlcheckr|watchmouse|webpagetest|websitepulse|wheresitup|worldping|wormly|wpumbrella|ylt chrome|yottaa|zabbix|zombie\\.js|blackboard|bling erp|corporama|determ$|emoney|httpunit|sv-watchagent";

const SCANNERS =
  "abuse\\.xmco|acunetix|air\\.ai|arachni|asnrisk|blackduck|burpcollaborator|censys|clamav|corax|cookiehub|detectify|digicert|" +
  "dirbuster|ec2linkfinder|emailwolf|expanse|fastdast|foregenix|fuzz faster|gobuster|haxermen|hardenize|internet-?measurement|iubenda|jigsaw|l9explore|l9tcpid|" +
  "legalmonster|let's encrypt|libwhisker|ltx71|masscan|nessus|netlab360|netsparker|netsystemsresearch|nikto|nmap|nuclei|nyawc|onetrust|openvas|probely|" +
  "securityheaders|shodan|sitelock|sqlmap|ssl labs|termly|test certificate|tls tester|vaultpress|virustotal|w3af|watchtowr|wfuzz|whatweb|" +
  "wpscan|xpymep|zmeu|keydrop";

const FEEDS =
  "akregator|apple-pubsub|bazqux|blogtrottr|bloglovin|castro \\d|downcast/|magpie|miniflux|netnewswire|newsblur|newsgator|newsnow|nextcloud-news|" +
  "planet(?:planet|venus)|podcastaddict|protopage|reeder/|rssowl|superfeedr|theoldreader|upday|venus/|windows-rss|newspaper/\\d|colly/";

const RENDERERS =
  "browsershots|collapsify|cutycapt|headless|htmlunit|httrack|jsdom/|mshots|phantomas|phantomjs|pdf24|penthouse|prerender|" +
  "rendertron|site-shot|slimerjs|urlbox|webcapture|webcollage|webkit2png|webscreenie|wkhtmlto|miniature\\.io|privacy preserving prefetch";

/** Servers of online shops, payments and marketing. */
const SERVICES =
  "alienfarm|botpoke|crusty/|easybill|gopay|happywing|jumio|klaviyo/|magicsearch|managewp|metorik|modularconnector|netapi v|nvdorz|" +
  "omnisend|potions/|reward-gateway|snipcart|sora pos|sparkshipping|stape/|trellis-services|trustly|upflow|wjhro";

/** One pattern for all names. */
export const CRAWLER_NAMES = new RegExp(
  `\\b(?:${[SEARCH, AI, SEO, PREVIEWS, MONITORS, SCANNERS, FEEDS, RENDERERS, SERVICES].join("|")})`,
  "i",
);
