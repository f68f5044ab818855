// Names of crawlers that no word of `crawler.ts` finds, in lower case. A name matches where a word starts.

const SEARCH = `
  aboundex, archive-it, ask jeeves, biglotron, bubing, coccoc, datanyze, dataparksearch, dataprovider, dauma/,
  daumoa, duplexweb, exalead, ezooms, findlinks, funnelback, geedo, gigablast, globalwebsearch, grub-client,
  heritrix, htdig, ia_archive, ichiro/, img2dataset, infegy, larbin, library of congress, megaindex, mixnode,
  mnogosearch, mogimogi, muscatferret, naverjapan, newsgathering, nutch, omgili, owler, panscient, plukkie, pompos,
  psbot, ramblermail, ryowl, scoutjet, searcherweb, searcherxweb, searchexpress, seekport, seznam rss,
  seznam screenshot, sogou head, sogou inst, sogou news, sogou orion, sogou pic, sogou web, spinn3r, swisscows,
  tarmotgezgin, teoma, theinternetsearch, thinklab, thumbshots, tineye, transcoder, vagabondo, webzio, wesee, wotbox,
  y!j-, yacy, yahoocachesystem, yahooseeker, zgrab, zyborg
`;

const AI = `
  ai2bot, amazon-kendra, amazonbuyforme, amzn-user, anchor browser, anthropic, bard-ai, bigsur.ai, chatgpt-,
  claude-code, claude-search, claude-user, claude-web, cotoyogi, diffbot, firecrawl, gemini-ai, githubcopilotchat,
  ias_wombles, imagemind, imagesift, kimi-user, manus-user, meta-external, meta-webindexer, mistralai, newsai,
  novaact, novellum, opencode-, perplexity-, semantic-visions, spawning-ai, the knowledge ai, tsm-turingos, zhipu
`;

/** Search engine optimisation, marketing and trademarks. */
const SEO = `
  192.comagent, adauth, adbeat, adidxbot, adreview, attracta, awario, backlink, barkrowler, bdfetch, bidtellect,
  brandverity, builtwith, clickagy, criticalcss, curious george, cyotek, dareboost, dataxu, dcrawl, depspid,
  domainappender, domains project, ds9 , e-mail exractor, ecairn, econtext, email exractor, evc-batch, fontradar,
  genieo, grapeshot, hotjar, hypestat, impact.com agent, inspici, ips-agent, linkdex, linktiger, linkwalker,
  marketgoo, mediavine, metauri, morningscore, netestate, netpursual, nitro-optimizer, optimizer), pagepeeker,
  pandalytics, postrank, prospectingstudio, proximic, ps_daily, pwabuilder, readable/, reelevant, retrolistecom,
  riddler, rogerbot, roi hunter, rsiteauditor, scope3, screaming frog, seobility, seokicks, serpstat,
  seznamemailproxy, silktide, similartech, sindup, sistrix, siteimprove, sitesucker, sparkler/, sqwatcher,
  surphace scout, tactiscout, taginspector, tracemyfile, trendiction, trendsmap, ttd-content, tweetedtimes, twurly,
  w3c-, w3c_, w3techs, wappalyzer, webcopier, webcopy, webdatastats, webmeup, whatcms, woorank, xenu, yokoy
`;

const PREVIEWS = `
  appsiteassociation, assetlinks, bingpreview, camo asset, camo/, embedly, facebookcatalog, facebookexternal,
  facebookplatform, facebookscraper, fastmailua, github-camo, iframely, imgproxy, instaparser, matrix-media,
  notionembedder, remove.bg, skypeuri, slack-imgproxy, snap url, snapchatads, steamchat, substackcontent, s~snapchat,
  thumbor/, twilioproxy, valve/steam http, viberurl, vkshare, workona, xing-content, yahoomailproxy
`;

const MONITORS = `
  404enemy, alertsite, amazon cloudfront, amazon-route53, appbeat, appinsights, applicationhealth, bitdiscovery,
  blackbox exporter, catchpoint, checkly, cloudflare-, cloudflarediagnostics, cloudflareobservatory, collectd,
  copperegg, corporama, cron-job, cypress/, datadog, debugbear, dejaclick, dmbrowser, dotcom-monitor, downnotifier,
  dynatrace, easycron, elb-health, eyemonit, functionize, gatus, ghost inspector, gis-labs:certmon, gomeza, googlehc,
  gtmetrix, happyapps, hetrix, hexometer, hobbit bbtest, hosttracker, httpmon, httpunit, hydrozen, iplabel, jetmon,
  keycdn-tools, kube-probe, lighthouse, linkalarm, mappercmd, monsido, montastic, munin, mxtoolbox, nagios, netvigie,
  neustar wpm, nibbler, nimbostratus, nodeping, nomore404, ohdear, pageburst, pagespeed, panopta, phpservermon,
  pingadmin, pingdom, playwright, prtg, ptst , ptst/, puppeteer, rigor), rigor/, rigor;, ruxit, selenium, sentry/,
  server density, site24x7, siteuptime, speedcurve, splash version, sqalix, statuscake, sucuri, sv-watchagent,
  testlocally, thousandeyes, tlsprobe, untiny, updown, uptimia, uptrends, urlcheckr, watchmouse, webmon/, webpagetest,
  websitepulse, wheresitup, worldping, wormly, wpumbrella, xymon, ylt chrome, yottaa, zabbix, zombie.js
`;

/** Scanners for vulnerabilities and certificates. */
const SCANNERS = `
  abuse.xmco, acunetix, air.ai, arachni, asnrisk, assetnote, blackduck, burpcollaborator, censys, clamav, comodo dcv,
  cookiehub, copyvio, corax, detectify, digicert, dirbuster, ec2linkfinder, emailwolf, expanse, fastdast, foregenix,
  fuzz faster, geckotrail, getroot, gobuster, hardenize, haxermen, httpx - open, infrawatch, inspect/,
  internet-measurement, internetmeasurement, iubenda, jigsaw, jolokia, jorgee, keydrop, l9explore, l9tcpid,
  laravel reaver, legalmonster, let's encrypt, libredtail, libwhisker, lkx-, ltx71, masscan, nessus, netlab360,
  netsparker, netsystemsresearch, nikto, nmap, nuclei, nyawc, onlyscans, openvas, probely, project-resonance,
  punkmap, recordedfuture, rootevidence, sectigo, securityheaders, shodan, sitelock, snoopsec, sqlmap, ssl labs,
  sslshed, test certificate, tls tester, valimail, virustotal, vulnbusters, w3af, watchtowr, wfuzz, whatweb, wpscan,
  xpymep, xtate, zmeu
`;

const FEEDS = `
  akregator, apple-pubsub, bazqux, blogtrottr, gregarius, hackermention, magpie, miniflux, nextcloud-news,
  planetplanet, planetvenus, simplepie, superfeedr, windows-rss
`;

/** Browsers without a person, archivers and screenshots. */
const RENDERERS = `
  browsermob, browsershots, collapsify, cutycapt, headless, heartrails, htmlunit, httrack, jsdom/, miniature.io,
  mshots, pdf24, penthouse, phantomas, phantomjs, prerender, privacy preserving prefetch, re-re studio, rendertron,
  site-shot, slimerjs, url2png, urlbox, web-capture, webcapture, webcollage, webkit2png, webscreenie, webshot,
  websnapr, wkhtmlto, zooshot
`;

/** Servers of online shops, payments and marketing. */
const SERVICES = `
  alienfarm, botpoke, braze sender, cf-uc, easybill, hwcdn/, interascoagent, invision community, m2e pro,
  magicsearch, metorik, modularconnector, netapi v, nvdorz, paypal ipn, perimeterx, phpmyadmin, placid.app, sora pos,
  sparkshipping, swcd , trellis-services, wjhro, zoom marketplace
`;

/** Sites and services that have apps of the same name, so they are crawlers only outside of apps. */
const SITES = `
  ahrefs, altavista, barracuda sentinel, bitly, bloglines, bloglovin, bluesky, brandwatch, castopod, chatwork,
  cohere, discourse, disqus, ezgif, flipboard, friendica, gotosocial, grafana/, grammarly, hatena, honeybadger,
  hubspot, instapaper, itms, keyword, klaviyo/, kouio, logicmonitor, lycos, majestic, managewp, matomo/, mattermost,
  meltwater, moreover, muckrack, netcraft, netvibes, newrelic, newsblur, newsgator, newsnow, nuzzel, onetrust,
  openai, outbrain, peertube, pixelfed, podcastaddict, poggio, printfriendly, prometheus, prorata, protopage,
  rackspace, rainmeter, scissors, semrush, silverreader, sitebulb, sprinklr, stumbleupon, termly, theoldreader,
  twingly, upday, vaultpress, wakelet, webzip, xenforo, youdao, yourls, zoominfo, zotero
`;

/** Names that others use as a word too, so only at the start. */
const FIRST = `
  adminlabs, adventurer, blackboard, bling erp, botify, buck/, bushbaby, butterfly/, capitaloneshopping,
  character-ai, charlotte/, colly/, convertify, crusty/, devin/, downcast/, emoney, exodusmovement, fever/,
  g-i-g-a-b-o-t, gopay, happywing, holmes/, intravnews, jaunt/, jumio, magellan, mail.ru/, mailchimp, medusa/,
  monit/, movabletype, octopus , omnisend, omsc, overcast/, ping.blo, pocketimagecache, pocketparser, potions/,
  prittorrent, qwantify, reward-gateway, scooter/, shopalike, shopwiki, snipcart, stape/, steeler/, terracotta,
  trustly, upflow, venus/, verity/, webtech/, wordup, yeti/, zao/, zeno/
`;

// V8 tests any number of literal alternatives at once, so the few patterns are apart from the names.

const ALL = [SEARCH, AI, SEO, PREVIEWS, MONITORS, SCANNERS, FEEDS, RENDERERS, SERVICES].map(namesIn).join("|");

const NAMES = new RegExp(`\\b(?:${ALL})`, "i");
const SITE_NAMES = new RegExp(`\\b(?:${namesIn(SITES)})`, "i");
const FIRST_NAMES = new RegExp(`^(?:${namesIn(FIRST)})`, "i");
const PATTERNS =
  /\bgoogle-(?!http|apps?-script|api|auth|chrome|cloud-(?:sdk|storage)|cloudsdk|genai)[a-z]|\bgoogle ?(?:ads|adwords|agent|association|certificate|document|favicon|gemini|image|inspection|keyword|notebook|other|page|pinpoint|producer|publisher|safety|search console|speakr|structured|trust|video|web preview)|-google\b|\bdaum[ /]\d|\b(?:bw|dlc)\/\d|^(?:b0t|mozilla\/\d\.0 \(hydra|castro \d|determ$|newspaper\/\d|ning\/\d|viber$)/i;

export function hasCrawlerName(userAgent: string): boolean {
  return NAMES.test(userAgent) || FIRST_NAMES.test(userAgent) || PATTERNS.test(userAgent);
}

/** Whether the user agent has the name of a site. If it is an app, it is the site's app. */
export function hasSiteName(userAgent: string): boolean {
  return SITE_NAMES.test(userAgent);
}

/** Alternatives of a regular expression. The spaces inside a name count. */
function namesIn(text: string): string {
  return text
    .trim()
    .split(/,\s+/)
    .map((name) => name.replaceAll(/[.()[\]/]/g, "\\$&"))
    .join("|");
}
