// Names of crawlers that no word of `crawler.ts` finds. A name matches where a word starts. Lower case, as patterns.

const SEARCH =
  "ask jeeves|biglotron|bloglines|coccoc|dataprovider|datanyze|daum \\d|daumo?a\\b|duplexweb|exalead|funnelback|gigablast|ia_archive|" +
  "google[- ]?(?:ads|adwords|agent|association|certificate|cloud-(?:scheduler|tasks)|document|extended|firebase|favicon|gemini|image|inspection|notebook|other|" +
  "page|physicalweb|podcast|read|safety|search console|site|speakr|structured|test|transparency|trust|video|web preview|xrawler)|" +
  "\\w+-google\\b|ichiro/|larbin|netcraft|nutch|owler|panscient|psbot|searcher\\w*web|searchexpress|seznam (?:rss|screenshot)|sogou (?:web|pic|news|orion|inst|head)|swisscows|teoma|" +
  "thumbshots|twingly|wesee|wotbox|yacy|yahoo(?:cachesystem|seeker)|yandex(?:accessibility|ad|blogs|calendar|direct|favicons|images|market|media|metrika|pagechecker|renderresources|screenshot|site|sprav|tracker|turbo|vertis|video|webmaster)|zgrab|zyborg|geedo|globalwebsearch|theinternetsearch|library of congress|archive-it|newsgathering|thinklab|" +
  "aboundex|altavista|bubing|dataparksearch|ezooms|findlinks|grub-client|heritrix|htdig|img2dataset|infegy|itms|megaindex|mixnode|mnogosearch|mogimogi|muscatferret|naverjapan|omgili|plukkie|pompos|ramblermail|ryowl|scoutjet|seekport|spinn3r|tarmotgezgin|tineye|transcoder|vagabondo|webzio|y!j-";

const AI =
  "ai2bot|anthropic|bigsur\\.ai|chatgpt-user|claude-(?:user|web|search)|cohere|cotoyogi|diffbot|firecrawl|imagemind|" +
  "kimi-user|manus-user|meta-(?:external|webindexer)|mistralai|newsai|novaact|novellum|openai|opencode-|perplexity-|poggio|" +
  "semantic-visions|spawning-ai|the knowledge ai|tsm-turingos|youdao|zhipu|" +
  "amzn-user|amazon-kendra|amazonbuyforme|anchor browser|bard-ai|chatgpt-|claude-code|gemini-ai|githubcopilotchat|ias_wombles|imagesift|prorata";

const SEO =
  "adbeat|adidxbot|ahrefs|attracta|backlink|bdfetch|dareboost|dcrawl|dlc/\\d|evc-batch|genieo|grapeshot|" +
  "hotjar|hubspot|impact\\.com agent|linkdex|linktiger|linkwalker|majestic|marketgoo|mediavine|metauri|moreover|" +
  "netestate|optimizer\\)|outbrain|proximic|ps_daily|retrolistecom|riddler|rogerbot|rsiteauditor|screaming frog|semrush|" +
  "seokicks|serpstat|silktide|similartech|sistrix|sitesucker|trendsmap|trendiction|w3c[-_]|w3techs|wappalyzer|webcopier|webcopy|" +
  "webmeup|webzip|xenu|zoominfo|criticalcss|cyotek|ds9 |ips-agent|nitro-optimizer|postrank|pwabuilder|reelevant|scope3|siteimprove|sindup|sqwatcher|twurly|yokoy|" +
  "adauth|adreview|awario|barkrowler|bidtellect|brandverity|builtwith|clickagy|curious george|dataxu|depspid|domainappender|domains project|ecairn|fontradar|hypestat|inspici|morningscore|pagepeeker|pandalytics|prospectingstudio|roi hunter|seobility|seznamemailproxy|stumbleupon|tactiscout|tracemyfile|ttd-content|tweetedtimes|webdatastats|whatcms|woorank";

const PREVIEWS =
  "bitly|camo\\b|chatwork|embedly|facebook(?:catalog|external|platform|scraper)|github-camo|hatena|" +
  "iframely|imgproxy|instaparser|matrix-media|nuzzel|scissors|skypeuri|slack-imgproxy|snap url|steamchat|" +
  "twilioproxy|valve/steam http|vkshare|wakelet|whatsapp$|workona|xing-content|bingpreview|appsiteassociation|assetlinks|bw/\\d|fastmailua|printfriendly|remove\\.bg|viber$|" +
  "ezgif|s~snapchat|snapchatads|substackcontent|viberurl|xenforo|yahoomailproxy|yourls";

const MONITORS =
  "404enemy|alertsite|amazon cloudfront|amazon-route53|appbeat|appinsights|applicationhealth|bitdiscovery|blackbox exporter|catchpoint|cloudflare-|" +
  "collectd|copperegg|cron-job|cypress/|datadog|debugbear|dejaclick|dmbrowser|dotcom-monitor|downnotifier|dynatrace|easycron|elb-health|functionize|ghost inspector|" +
  "gomezagent|gtmetrix|happyapps|hetrix|honeybadger|hosttracker|hydrozen|jetmon|kube-probe|keycdn-tools|lighthouse|logicmonitor|monsido|" +
  "montastic|mxtoolbox|netvigie|neustar|newrelic|nimbostratus|nodeping|nomore404|ohdear|panopta|pagespeed|pingdom|playwright|prometheus|prtg|ptst[ /]|puppeteer|" +
  "rigor[);/]|ruxit|selenium|sentry/|server density|site24x7|siteuptime|speedcurve|splash version|statuscake|sucuri|testlocally|" +
  "thousandeyes|updown|uptrends|urlcheckr|watchmouse|webpagetest|websitepulse|wheresitup|worldping|wormly|wpumbrella|ylt chrome|yottaa|zabbix|zombie\\.js|corporama|httpunit|sv-watchagent|" +
  "cloudflare(?:diagnostics|observatory)|eyemonit|gomeza|happy ?apps|httpmon|iplabel|munin|nagios|pageburst|phpservermon|pingadmin|rainmeter|sqalix|tlsprobe|uptimia|webmon/";

const SCANNERS =
  "abuse\\.xmco|acunetix|air\\.ai|arachni|asnrisk|blackduck|burpcollaborator|censys|clamav|corax|cookiehub|detectify|digicert|" +
  "dirbuster|ec2linkfinder|emailwolf|expanse|fastdast|foregenix|fuzz faster|gobuster|haxermen|hardenize|internet-?measurement|iubenda|jigsaw|l9explore|l9tcpid|" +
  "legalmonster|let's encrypt|libwhisker|ltx71|masscan|nessus|netlab360|netsparker|netsystemsresearch|nikto|nmap|nuclei|nyawc|openvas|probely|" +
  "securityheaders|shodan|sitelock|sqlmap|ssl labs|test certificate|tls tester|virustotal|w3af|watchtowr|wfuzz|whatweb|" +
  "wpscan|xpymep|zmeu|keydrop|" +
  "assetnote|barracuda sentinel|comodo dcv|copyvio|geckotrail|getroot|httpx - open|infrawatch|inspect/|jolokia|laravel reaver|libredtail|lkx-|onlyscans|project-resonance|punkmap|recordedfuture|rootevidence|sectigo|snoopsec|sslshed|valimail|vulnbusters|xtate";

const FEEDS =
  "akregator|apple-pubsub|bazqux|blogtrottr|bloglovin|magpie|miniflux|newsblur|newsgator|newsnow|nextcloud-news|" +
  "planet(?:planet|venus)|podcastaddict|protopage|superfeedr|theoldreader|upday|windows-rss|" +
  "gregarius|hackermention|kouio|simplepie|silverreader";

const RENDERERS =
  "browsershots|collapsify|cutycapt|headless|htmlunit|httrack|jsdom/|mshots|phantomas|phantomjs|pdf24|penthouse|prerender|" +
  "rendertron|site-shot|slimerjs|urlbox|webcapture|webcollage|webkit2png|webscreenie|wkhtmlto|miniature\\.io|privacy preserving prefetch|" +
  "browsermob|heartrails|re-re studio|url2png|zooshot";

/** Servers of online shops, payments and marketing. */
const SERVICES =
  "paypal ipn|phpmyadmin|alienfarm|botpoke|easybill|magicsearch|metorik|modularconnector|netapi v|nvdorz|" +
  "sora pos|sparkshipping|trellis-services|wjhro";

/** Crawlers of services whose apps have the same name, so only at the start. */
const APPS =
  "bluesky|disqus|discourse|flipboard|friendica|gotosocial|grammarly|instapaper|mattermost|peertube|pixelfed|" +
  "overcast/|mail\\.ru/|klaviyo/|gopay|jumio|trustly|omnisend|snipcart|upflow|stape/|determ$|bling erp|" +
  "capitaloneshopping|netvibes|sparkler/|readable/|potions/|exodusmovement|castopod|fever/|zotero|meltwater|" +
  "matomo/|grafana/|muckrack|rackspace|magellan|castro \\d|downcast/|ning/\\d|webtech/|terracotta|character-ai|" +
  "wordup|adventurer|brandwatch|buck/|blackboard|emoney|botify|sprinklr|verity/|zeno/|zao/|yeti/|scooter/|" +
  "charlotte/|butterfly/|colly/|devin/|onetrust|vaultpress|managewp|adminlabs|crusty/|bushbaby|venus/|" +
  "reward-gateway|sitebulb|keyword|convertify|termly|shopwiki|shopalike|pocket(?:imagecache|parser)|" +
  "newspaper/\\d|happywing|qwantify|lycos|steeler/|holmes/";

/** One pattern for all names. */
export const CRAWLER_NAMES = new RegExp(
  `\\b(?:${[SEARCH, AI, SEO, PREVIEWS, MONITORS, SCANNERS, FEEDS, RENDERERS, SERVICES].join("|")})|^(?:${APPS})`,
  "i",
);
