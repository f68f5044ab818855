/** Browsers that the parser names differently or does not know. They are tried in this order before the parser. */
export const BROWSER_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bInstagram\b/i, "Instagram"],
  [/\bBarcelona \d/, "Threads"],
  [/\bFBAN\/Messenger|\bFB_IAB\/(?:Orca|MESSENGER)|\bMetaIAB Messenger|\bMessenger(?:Lite)?(?:ForiOS|\/)/, "Messenger"],
  [/\bFB(?:AN|AV|_IAB|IOS|4A)\b|\bMetaIAB\b/, "Facebook"],
  [/ WhatsApp\//, "WhatsApp"],
  [/\b(?:musical_ly|BytedanceWebview|trill_|TikTok|aweme)/i, "TikTok"],
  [/\bSnapchat/i, "Snapchat"],
  [/\[?\bPinterest\b/i, "Pinterest"],
  [/\bLinkedInApp\b/, "LinkedIn"],
  [/\bTwitter(?:Android| for )/, "Twitter"],
  [/\bReddit\/|\bRedditApp\b/, "Reddit"],
  [/\bTelegram-(?:Android|iOS)\b/i, "Telegram"],
  [/\bViber\//, "Viber"],
  [/\bYJApp-/, "Yahoo! Japan"],
  [/\bDiscord\//i, "Discord"],
  [/\bSlack(?:_SSB)?\//, "Slack"],
  [/\bTeams\//, "Microsoft Teams"],
  [/\bLine\/\d/i, "LINE"],
  [/\bZalo\b/i, "Zalo"],
  [/\bVK(?:AndroidApp|Client|_)|\bvkontakte|\bcom\.vk\.vkclient/i, "VK"],
  [/\bKwai|\bKuaishou|\bksNebula/i, "Kwai"],
  [/\bxhs(?:discover|-|\/)|xiaohongshu|\bREDnote/i, "Xiaohongshu"],
  [/\bSpotify\//i, "Spotify"],
  [/\bWeibo\b|_weibo_/i, "Weibo"],
  [/\bBing(?:Web|Sapphire)?\/\d/i, "Bing"],
  [/\bRoblox/i, "Roblox"],
  [/\bAppleNews\//, "Apple News"],
  [/\bBluesky\//, "Bluesky"],
  [/\bDingTalk\b/i, "DingTalk"],
  [/\b(?:Lark|Feishu)\//i, "Lark"],
  [/\bAliApp\(TB|\bTaobao/i, "Taobao"],
  [/\bAlipay/i, "Alipay"],
  [/\bMicroMessenger\//i, "WeChat"],
  [/\bQQ\/\d/, "QQ"],
  [/\bDaumApps\//i, "Daum"],
  [/\bUC(?:WEB|Browser|Mobile)/i, "UC Browser"],
  [/\bOPiOS\/|\bOpera Mini\b/i, "Opera Mini"],
  [/\bAloha(?:Browser|Lite)?\//i, "Aloha"],
  [/\bHonor ?Browser\//i, "Honor Browser"],
  [/\b(?:GSA|GoogleApp)\//, "Google App"],
  [/\bBrave\b/i, "Brave"],
  [/\bVivaldi\b/i, "Vivaldi"],
  [/\bHeadlessChrome\b/, "Headless Chrome"],
  [/\b(?:HuaweiBrowser|HuaweiHmf)\//i, "Huawei Browser"],
  [/\bMiuiBrowser\//i, "MIUI Browser"],
  [/\bHeyTapBrowser\//i, "HeyTap Browser"],
  [/\bVivoBrowser\//i, "Vivo Browser"],
  [/\bDuckDuckGo\/|\bDdg\//i, "DuckDuckGo"],
  [/\bEcosia /i, "Ecosia"],
  [/\b(?:Klar|Focus)\//, "Firefox Focus"],
  [/\bBlackBerry[^)]*\) AppleWebKit|^BlackBerry|\(BB10;/, "BlackBerry Browser"],
  [/\bELinks\b/, "ELinks"],
  [/\bSeaMonkey\//i, "SeaMonkey"],
  [/\bPaleMoon\//i, "Pale Moon"],
  [/\bWaterfox\//i, "Waterfox"],
];

/** Rarer systems that the parser names differently or does not know. They are tried in this order before the parser. */
export const SYSTEM_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows Phone\b/i, "Windows Phone"],
  [/Harmony ?OS|OpenHarmony/i, "HarmonyOS"],
  [/\bXbox\b/i, "Xbox"],
  [/\bPlayStation\b/i, "PlayStation"],
  [/\bAppleTV|\btvOS\b|\bApple TV\b/i, "tvOS"],
  [/\bWatch ?OS\b/i, "watchOS"],
  [/\bTizen\b/i, "Tizen"],
  [/\bKAIOS\//i, "KaiOS"],
  [/\bBlackBerry|\bBB10\b/i, "BlackBerry"],
  [/\bNokia.*\b(?:Series60|CLDC)|\bS60V/i, "Symbian"],
  [/\bBREW\b|\bBMP \d/, "BREW"],
];

const BROWSER_LIST = namesIn(
  "2345Explorer|360 Browser|Alipay|Amaya|Android Browser|Arora|Avant|Avast Secure Browser|AVG Secure Browser|" +
    "Baidu|Basilisk|Blazer|Bolt|Bowser|Brave|Camino|Chimera|Chrome|Chromium|Cobalt|Coc Coc|Comodo Dragon|" +
    "Conkeror|Dillo|Dolphin|Doris|DuckDuckGo|Edge|Electron|Epiphany|Facebook|Falkon|Firebird|Firefox|" +
    "Firefox Focus|Firefox Reality|Flock|Flow|iCab|IceApe|IceCat|IceDragon|Iceweasel|Instagram|Iridium|Iron|" +
    "Jasmine|K-Meleon|KakaoStory|KakaoTalk|Klarna|Konqueror|LinkedIn|Links|Lunascape|Lynx|Maxthon|Midori|Minimo|" +
    "MIUI Browser|Mosaic|Mozilla|NetFront|Netscape|NetSurf|Obigo|Oculus Browser|OmniWeb|Opera|Opera Mini|Phoenix|" +
    "PhantomJS|Polaris|Puffin|QQ|Quark|QupZilla|Rekonq|RockMelt|Safari|Sailfish Browser|Samsung Internet|" +
    "SeaMonkey|Skyfire|Sleipnir|Smart Lenovo Browser|Snapchat|Sogou Explorer|Sogou Mobile|Swiftfox|Tesla|TikTok|" +
    "Twitter|Vivaldi|w3m|Waterfox|WeChat|Weibo|Whale",
);

const RENAMED_BROWSERS = {
  "chrome webview": "Chrome",
  "chrome headless": "Headless Chrome",
  fennec: "Firefox",
  "huawei browser": "Huawei Browser",
  heytap: "HeyTap Browser",
  ie: "Internet Explorer",
  iemobile: "Internet Explorer",
  kindle: "Kindle",
  klar: "Firefox Focus",
  lbbrowser: "LieBao",
  line: "LINE",
  "maemo browser": "Maemo Browser",
  "mobile safari": "Safari",
  naver: "NAVER",
  "nokia browser": "Nokia Browser",
  nokiabrowser: "Nokia Browser",
  "opera coast": "Opera",
  "opera gx": "Opera",
  "opera mobi": "Opera",
  "opera mobile": "Opera",
  "opera tablet": "Opera",
  "opera touch": "Opera",
  ovi: "Nokia Browser",
  palemoon: "Pale Moon",
  qqbrowser: "QQ Browser",
  qqbrowserlite: "QQ Browser",
  silk: "Amazon Silk",
  slim: "SlimBrowser",
  tizenbrowser: "Samsung Internet",
  "tizen browser": "Samsung Internet",
  ucbrowser: "UC Browser",
  viera: "Viera",
  "vivo browser": "Vivo Browser",
  webkit: "Safari",
  yandex: "Yandex Browser",
};

/** Our name of a browser by the parser's name in lower case. Any other name of the parser is "other". */
export const BROWSER_NAMES = byLowerCase(BROWSER_LIST, RENAMED_BROWSERS);

const OS_LIST = namesIn(
  "AIX|AmigaOS|Android|Bada|BeOS|BlackBerry|Chromecast|Firefox OS|FreeBSD|Fuchsia|Haiku|HarmonyOS|HP-UX|iOS|" +
    "KaiOS|Linux|Maemo|MeeGo|MorphOS|NetBSD|Nintendo|OpenBSD|OpenVMS|PlayStation|QNX|SerenityOS|Solaris|Symbian|" +
    "Tizen|watchOS|webOS|Windows|Windows Phone|Xbox",
);

// Linux distributions are one family: most of them do not name themselves.
const LINUX = namesIn(
  "arch|centos|debian|deepin|elementary os|fedora|gentoo|joli|kubuntu|linpus|linspire|lubuntu|mageia|manjaro|" +
    "mandriva|mint|opensuse|pclinuxos|raspbian|red hat|redhat|sabayon|slackware|suse|ubuntu|vectorlinux|xubuntu|" +
    "zenwalk",
);

const RENAMED_SYSTEMS = {
  ...Object.fromEntries(LINUX.map((name) => [name, "Linux"])),
  "android-x86": "Android",
  "chromium os": "Chrome OS",
  dragonfly: "DragonFly BSD",
  ghostbsd: "FreeBSD",
  "mac os": "macOS",
  "os/2": "OS/2",
  palm: "Palm OS",
  "rim tablet os": "BlackBerry",
  sailfish: "Sailfish OS",
  series40: "Series 40",
  "windows mobile": "Windows Phone",
  "windows phone os": "Windows Phone",
};

/** Our name of a system by the parser's name in lower case. Any other name of the parser is "other". */
export const OS_NAMES = byLowerCase(OS_LIST, RENAMED_SYSTEMS);

function namesIn(text: string): string[] {
  return text.split("|");
}

function byLowerCase(names: string[], renamed: Record<string, string>): ReadonlyMap<string, string> {
  return new Map([...names.map((name): [string, string] => [name.toLowerCase(), name]), ...Object.entries(renamed)]);
}
