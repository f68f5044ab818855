/** Real user agents: device, browser, system, whether a crawler, and the string. */
export const USER_AGENTS = `
mobile|Instagram|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 338.0.0.0.0 (iPhone14,2; iOS 17_5; en_US; scale=3.00; 1170x2532; 0)
mobile|Facebook|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/465.0.0.41.103;FBBV/602060281;FBDV/iPhone14,2;FBMD/iPhone;FBSN/iOS;FBSV/17.5;FBSS/3]
mobile|Facebook|Android|visitor|Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.6422.53 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/465.0.0.55.77;]
mobile|Messenger|Android|visitor|Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.6422.53 Mobile Safari/537.36 [FB_IAB/Orca-Android;FBAV/465.0.0.55.77;]
mobile|TikTok|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 musical_ly_34.1.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en Region/US BytedanceWebview/d8a21c6
mobile|TikTok|Android|visitor|Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 trill_340103 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/trill app_version/34.1.3 ByteLocale/en
mobile|WeChat|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.49(0x18003129) NetType/WIFI Language/zh_CN
mobile|LINE|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/14.8.0
mobile|LINE|Android|visitor|Mozilla/5.0 (Linux; Android 13; Pixel 7; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.0.0 Mobile Safari/537.36 Line/14.7.1/IAB
mobile|Snapchat|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Snapchat/12.88.0.41 (like Safari/8618.2.12.10.9, panda)
mobile|Snapchat|Android|visitor|Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36 Snapchat12.88.0.39(Pixel8; Android 14; gzip)
mobile|Twitter|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Twitter for iPhone/10.42
mobile|Twitter|Android|visitor|Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36 TwitterAndroid
mobile|LinkedIn|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.29.8962
mobile|Pinterest|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [Pinterest/iOS]
mobile|Pinterest|Android|visitor|Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36 [Pinterest/Android]
mobile|Threads|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Barcelona 334.0.0.31.109 (iPhone14,2; iOS 17_5; en_US)
mobile|Google App|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/319.0.638062970 Mobile/15E148 Safari/604.1
mobile|Chrome|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/125.0.6422.80 Mobile/15E148 Safari/604.1
mobile|Firefox|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/126.0 Mobile/15E148 Safari/605.1.15
mobile|Edge|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 EdgiOS/124.0.2478.89 Mobile/15E148 Safari/605.1.15
mobile|Opera|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1 OPT/4.7.0
mobile|DuckDuckGo|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15
desktop|DuckDuckGo|macOS|visitor|Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 Ddg/17.4
mobile|Yandex Browser|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 YaBrowser/24.4.8.444.10 SA/3 Mobile/15E148 Safari/604.1
mobile|Huawei Browser|HarmonyOS|visitor|Mozilla/5.0 (Linux; Android 12; HarmonyOS; NOH-AN00; HMSCore 6.13.0.352) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 HuaweiBrowser/14.0.5.305 Mobile Safari/537.36
mobile|Huawei Browser|HarmonyOS|visitor|Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile HuaweiBrowser/5.0.4.300
tablet|Huawei Browser|HarmonyOS|visitor|Mozilla/5.0 (Tablet; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 HuaweiBrowser/5.0.4.300
desktop|Chrome|Chrome OS|visitor|Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36
desktop|Opera|Windows|visitor|Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36 OPR/111.0.0.0
desktop|Edge|Windows|visitor|Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36 Edg/125.0.0.0
tablet|Samsung Internet|Android|visitor|Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Safari/537.36
tv|Amazon Silk|Android|visitor|Mozilla/5.0 (Linux; Android 9; AFTMM) AppleWebKit/537.36 (KHTML, like Gecko) Silk/120.4.1 like Chrome/120.0.6099.230 Safari/537.36
tablet|Amazon Silk|Android|visitor|Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/122.4.1 like Chrome/122.0.6261.119 Safari/537.36
tv|Safari|Tizen|visitor|Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) 94.0.4606.31/7.0 TV Safari/537.36
tv|Chrome|webOS|visitor|Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.5359.211 Safari/537.36 WebAppManager
console|Safari|PlayStation|visitor|Mozilla/5.0 (PlayStation; PlayStation 5/8.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Safari/605.1.15
console|Safari|Nintendo|visitor|Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/609.4 (KHTML, like Gecko) NF/6.0.2.21.3 NintendoBrowser/5.1.0.22474
console|Edge|Xbox|visitor|Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36 Edg/125.0.0.0
other|Oculus Browser|Linux|visitor|Mozilla/5.0 (X11; Linux x86_64; Quest 3) AppleWebKit/537.36 (KHTML, like Gecko) OculusBrowser/33.1.0.9.55 Chrome/124.0.6367.118 VR Safari/537.36
other|Tesla|Linux|visitor|Mozilla/5.0 (X11; GNU/Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chromium/88.0.4324.182 Chrome/88.0.4324.182 Safari/537.36 Tesla/2021.12.25
mobile|UC Browser|Android|visitor|Mozilla/5.0 (Linux; U; Android 13; en-US; RMX3085) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.7.0.1321 Mobile Safari/537.36
mobile|Opera Mini|Android|visitor|Opera/9.80 (Android; Opera Mini/78.0.2254/191.283; U; en) Presto/2.12.423 Version/12.16
mobile|Opera|Android|visitor|Mozilla/5.0 (Linux; Android 13; 2201117TG Build/TKQ1; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36 OPR/82.0.2254.72405
mobile|Firefox|KaiOS|visitor|Mozilla/5.0 (Mobile; LYF/F220B/LYF-F220B-003-01-15-130718;Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5
mobile|Firefox|Android|visitor|Mozilla/5.0 (Android 14; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0
tablet|Firefox|Android|visitor|Mozilla/5.0 (Android 14; Tablet; rv:126.0) Gecko/126.0 Firefox/126.0
tablet|Safari|iOS|visitor|Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1
mobile|Edge|Android|visitor|Mozilla/5.0 (Linux; Android 14; SM-A515F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36 EdgA/124.0.2478.64
tablet|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36
mobile|Telegram|Android|visitor|Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36 Telegram-Android/10.13.1 (Google Pixel 8; Android 14; SDK 34; HIGH)
desktop|Discord|Windows|visitor|Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) discord/1.0.9147 Chrome/120.0.6099.291 Electron/28.2.10 Safari/537.36
mobile|KakaoTalk|Android|visitor|Mozilla/5.0 (Linux; Android 13; SM-S908N; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36;KAKAOTALK 2410610
mobile|NAVER|Android|visitor|Mozilla/5.0 (Linux; Android 13; SM-S908N; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Whale/1.0.0.0 Crosswalk/29.125 Mobile Safari/537.36 NAVER(inapp; search; 1200; 12.7.3)
desktop|Firefox|Linux|visitor|Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0
desktop|Internet Explorer|Windows|visitor|Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko
desktop|Headless Chrome|Linux|bot|Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/125.0.0.0 Safari/537.36
other|other|iOS|visitor|MyApp/1.0 CFNetwork/1494.0.7 Darwin/23.4.0
other|other|iOS|visitor|Podcasts/1650.1 CFNetwork/1494 Darwin/23.4.0
other|curl|other|visitor|curl/8.7.1
other|Wget|Linux|visitor|Wget/1.21.4 (linux-gnu)
other|aiohttp|other|visitor|Python/3.11 aiohttp/3.9.1
other|python-requests|other|visitor|python-requests/2.31.0
other|okhttp|other|visitor|okhttp/4.12.0
other|Node.js|other|visitor|node
other|Java|other|visitor|Java/17.0.1
other|PostmanRuntime|other|visitor|PostmanRuntime/7.39.0
other|PowerShell|Windows|visitor|Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4291
mobile|MIUI Browser|Android|visitor|Mozilla/5.0 (Linux; Android 14; en-us; Xiaomi 14 Build/UKQ1) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/18.5.40502
mobile|Vivo Browser|Android|visitor|Mozilla/5.0 (Linux; Android 13; V2227A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/87.0.4280.141 Mobile Safari/537.36 VivoBrowser/16.1.11.0
mobile|HeyTap Browser|Android|visitor|Mozilla/5.0 (Linux; U; Android 12; zh-cn; PEEM00 Build/SKQ1) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/90.0.4430.61 Mobile Safari/537.36 HeyTapBrowser/40.7.33.1
mobile|Quark|Android|visitor|Mozilla/5.0 (Linux; U; Android 13; zh-CN; 2211133C Build/TKQ1) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 Quark/6.8.5.392 Mobile Safari/537.36
mobile|QQ Browser|Android|visitor|Mozilla/5.0 (Linux; U; Android 13; zh-cn; 23049RAD8C) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/109.0.5414.86 MQQBrowser/15.1 Mobile Safari/537.36 COVC/046717
tablet|Facebook|Android|visitor|Mozilla/5.0 (Linux; Android 13; SM-T220 Build/TP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Safari/537.36 [FB_IAB/FB4A;FBAV/465.0.0.55.77;]
mobile|Instagram|Android|visitor|Mozilla/5.0 (Linux; Android 13; moto g power; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36 Instagram 334.0.0.42.95 Android (33/13; 280dpi; 720x1472; motorola; moto g power)
mobile|Safari|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148
mobile|Baidu|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 baiduboxapp/13.58
desktop|Safari|macOS|visitor|Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)
desktop|Vivaldi|Windows|visitor|Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Vivaldi/6.7
desktop|Microsoft Teams|Windows|visitor|Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Teams/1.6.00.4472 Chrome/102.0.5005.167 Electron/19.1.8 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 12; Android TV; BRAVIA 4K VH2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 11; Chromecast) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0.4430.225 Safari/537.36 CrKey/1.56.500000 DeviceType/AndroidTV
other|Chrome|Chromecast|visitor|Mozilla/5.0 (Fuchsia) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 CrKey/1.56.500000
other|other|other|bot|Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)
other|other|other|visitor|Outlook-iOS/731.0 (4.2416.0)
desktop|Epiphany|Linux|visitor|Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15 Epiphany/605.1.15
mobile|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 15; SM-F956U) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36
mobile|Android Browser|Android|visitor|Mozilla/5.0 (Linux; U; Android 4.0.3; ko-kr; LG-L160L Build/IML74K) AppleWebkit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30
desktop|Firefox|OpenBSD|visitor|Mozilla/5.0 (X11; OpenBSD amd64; rv:126.0) Gecko/20100101 Firefox/126.0
mobile|Safari|iOS|visitor|Mozilla/5.0 (iPod touch; CPU iPhone OS 15_8 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6 Mobile/15E148 Safari/604.1
mobile|Edge|Windows Phone|visitor|Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063
mobile|Amazon Silk|Android|visitor|Mozilla/5.0 (Linux; U; Android 4.2.2; en-us; SD4930UR Build/JDQ39) AppleWebKit/537.36 (KHTML, like Gecko) Silk/3.44 like Chrome/37.0.2026.117 Mobile Safari/537.36
tablet|Amazon Silk|macOS|visitor|Mozilla/5.0 (Macintosh; U; Intel Mac OS X 10_6_3; en-us; Silk/1.0.13.81_10003810) AppleWebKit/533.16 (KHTML, like Gecko) Version/5.0 Safari/533.16 Silk-Accelerated=true
mobile|BlackBerry Browser|BlackBerry|visitor|Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ (KHTML, like Gecko) Version/10.0.9.2372 Mobile Safari/537.10+
tablet|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 5.0; Nexus 9 Build/LRX21R) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/36.0.1985.143 Mobile Crosswalk/7.36.154.13 Safari/537.36
desktop|Internet Explorer|Windows|visitor|Mozilla/5.0 (Windows NT 6.3; WOW64; Trident/7.0; .NET4.0E; .NET4.0C; Tablet PC 2.0; GWX:MANAGED; rv:11.0) like Gecko
desktop|Internet Explorer|Windows|visitor|Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)
desktop|Firefox|macOS|visitor|Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:126.0) Gecko/20100101 Firefox/126.0
desktop|Chrome|macOS|visitor|Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36
desktop|Safari|macOS|visitor|Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Safari/605.1.15
tablet|Chrome|iOS|visitor|Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/125.0.6422.80 Mobile/15E148 Safari/604.1
desktop|Chrome|Linux|visitor|Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36
desktop|Firefox|FreeBSD|visitor|Mozilla/5.0 (X11; FreeBSD amd64; rv:126.0) Gecko/20100101 Firefox/126.0
desktop|Yandex Browser|Windows|visitor|Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 YaBrowser/24.6.0.0 Safari/537.36
other|GuzzleHttp|other|visitor|GuzzleHttp/7
other|Go-http-client|other|visitor|Go-http-client/2.0
other|axios|other|visitor|axios/1.7.2
other|Dart|other|visitor|Dart/3.2 (dart:io)
other|python-urllib3|other|visitor|python-urllib3/2.2.1
other|Apache-HttpClient|other|visitor|Apache-HttpClient/4.5.14 (Java/17.0.12)
other|undici|other|visitor|undici
other|rest-client|Linux|visitor|rest-client/2.1.0 (linux-gnu x86_64) ruby/2.7.2p137
other|other|other|bot|Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
mobile|Chrome|Android|bot|Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.6422.175 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
other|other|other|bot|facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)
other|other|other|bot|WhatsApp/2.24.11.78 A
other|other|other|bot|Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)
other|other|other|bot|http.rb/5.1.1 (Mastodon/4.2.8; +https://mastodon.example/)
mobile|Chrome|Android|visitor|Mozilla/5.0 (Linux; U; Android 8.1.0; zh-cn; MI 8 Build/OPM1.171019.011) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/57.0.2987.108 Mobile Safari/537.36
tv|Amazon Silk|Android|visitor|Mozilla/5.0 (Linux; Android 9; AFTLBT962E2) AppleWebKit/537.36 (KHTML, like Gecko) Silk/118.3.1 like Chrome/118.0.5993.155 Safari/537.36
other|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 10; DiLink3.0 For BYD AUTO Build/QKQ1.200816.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/74.0.3729.186 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 9; MIBOX4 Build/PI; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/74.0.3729.186 Mobile Safari/537.36
mobile|UC Browser|Android|visitor|Mozilla/5.0 (Linux; U; Android 12; en-US; RMX3085 Build/SP1A.210812.016) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/15.4.0.1306 Mobile Safari/537.36
mobile|UC Browser|iOS|visitor|Mozilla/5.0 (iPhone; U; CPU iPhone OS 15_4 like Mac OS X; en) AppleWebKit/534.46.0 (KHTML, like Gecko) Mobile/19E241 Safari/8536.25 UCMobile/11.3.5
mobile|UC Browser|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X; zh-CN) AppleWebKit/537.51.1 (KHTML, like Gecko) Mobile/19E241 UCBrowser/13.6.2.1545 Mobile AliApp(TUnionSDK/0.1.20.4)
mobile|UC Browser|other|visitor|UCWEB/2.0 (MIDP-2.0; U; en-US; nokia6120c) U2/1.0.0 UCBrowser/10.7.9.856 U2/1.0.0 Mobile
mobile|Facebook|Android|visitor|Mozilla/5.0 (Linux; Android 16; Pixel 10 Pro XL Build/CP1A.260305.018; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/146.0.7680.174 Mobile Safari/537.36 MetaIAB Facebook
mobile|Facebook|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 [FBAN/FBIOS;FBAV/490.0.0.51.106;FBBV/666459402;FBDV/iPhone16,1;FBMD/iPhone;FBSN/iOS;FBSV/18.1;FBSS/3;FBCR/;FBID/phone;FBLC/en_US;FBOP/80]
mobile|Facebook|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1 [FBAN/FBIOS;FBAV/490.0.0]
mobile|Messenger|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 [FBAN/MessengerForiOS;FBAV/483.0.0.38.107;FBBV/659441934;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.1;FBSS/3;FBCR/;FBID/phone;FBLC/en_US;FBOP/5]
mobile|Messenger|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/MessengerLiteForiOS;FBAV/465.0.0]
mobile|Messenger|Android|visitor|Mozilla/5.0 (Linux; Android 14; SM-A155F Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.6778.39 Mobile Safari/537.36 [FB_IAB/MESSENGER;FBAV/484.0.0.55.109;]
mobile|Messenger|Android|visitor|Mozilla/5.0 (Linux; Android 16; Pixel 10 Build/CP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/146.0.7680.174 Mobile Safari/537.36 MetaIAB Messenger
mobile|Opera Mini|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 15_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) OPiOS/16.0.15.124050 Mobile/15E148 Safari/9537.53
mobile|Opera Mini|Android|visitor|Opera/9.80 (Android; Opera Mini/36.2.2254/191.303; U; en) Presto/2.12.423 Version/12.16
mobile|Opera Mini|other|visitor|Opera/9.80 (J2ME/MIDP; Opera Mini/9.80/191.308; U; en) Presto/2.5.25 Version/10.54
mobile|Opera Mini|Android|visitor|Mozilla/5.0 (Linux; U; Android 13; TECNO BF7 Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.122 Mobile Safari/537.36 OPR/81.0.2254.72546 Opera Mini
mobile|Honor Browser|Android|visitor|Mozilla/5.0 (Linux; Android 14; ALI-NX1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/116.0.5845.163 HonorBrowser/4.0.11.301 Mobile Safari/537.36
mobile|Aloha|Android|visitor|Mozilla/5.0 (Linux; Android 13; SM-A536B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.6367.113 Mobile Safari/537.36 AlohaBrowser/5.8.1
mobile|Aloha|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1 AlohaBrowser/5.5
mobile|Bing|Android|visitor|Mozilla/5.0 (Linux; Android 13; SM-S901U) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/113.0.0.0 Mobile Safari/537.36 BingSapphire/24.5.400617302
mobile|Bing|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/605.1.15 BingSapphire/1.0.410527303
mobile|Bing|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 12_3_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.0 Mobile/15E148 Safari/605.1.15 BingWeb/6.37.2.0
mobile|Zalo|Android|visitor|Mozilla/5.0 (Linux; Android 13; SM-A235F Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.179 Mobile Safari/537.36 Zalo android/24040619 ZaloTheme/light ZaloLanguage/vi
mobile|Zalo|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Zalo iOS/538 ZaloTheme/light ZaloLanguage/vn
mobile|VK|Android|visitor|Mozilla/5.0 (Linux; Android 12; M2101K7BNY; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.123 Mobile Safari/537.36 VKAndroidApp/8.79-23090
mobile|VK|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 com.vk.vkclient/3204 (iPhone, iOS 16.6, iPhone13,2, Scale/3.0)
mobile|Kwai|Android|visitor|Mozilla/5.0 (Linux; Android 13; moto g22 Build/T1SFS33; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.179 Mobile Safari/537.36 Kwai/10.4.20.536502 OS_PRO_BIT/64 MAX_PHY_MEM/3700 AZPREFIX/az4 ICFO/0 StatusHT/24 TitleHT/50 NetType/WIFI ISLP/0 ISDM/0 ISLB/0 locale/pt-br CT/0
mobile|Kwai|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Kwai/9.10.1 NetType/WIFI
mobile|Xiaohongshu|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 xhsdiscover/8.23 (iPhone; iOS 17.1; Scale/3.00) Resolution/1170*2532 Version/8.23 Build/8230123 Device/(Apple Inc.;iPhone13,2) NetType/WiFi
mobile|Xiaohongshu|Android|visitor|Mozilla/5.0 (Linux; Android 13; 2211133C Build/TKQ1; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/109.0.5414.86 Mobile Safari/537.36 XHS-App xiaohongshu
mobile|Spotify|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Spotify/8.9.12
desktop|Spotify|Windows|visitor|Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.6045.159 Spotify/1.2.27.900 Safari/537.36
mobile|Weibo|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 16_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Weibo (iPhone14,2__weibo__13.1.0__iphone__os16.1)
mobile|Weibo|Android|visitor|Mozilla/5.0 (Linux; Android 12; ELS-AN00 Build/HUAWEIELS-AN00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/99.0.4844.88 Mobile Safari/537.36 Weibo (HUAWEI-ELS-AN00__weibo__13.4.1__android__android12)
mobile|Baidu|HarmonyOS|visitor|Mozilla/5.0 (Linux; Android 12; NOH-AN00 Build/HUAWEINOH-AN00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/97.0.4692.98 Mobile Safari/537.36 T7/13.38 BDOS/1.0 (HarmonyOS 3.0.0) SP-engine/2.76.0 baiduboxapp/13.38.5.10 (Baidu; P1 12) NABar/1.0
mobile|Baidu|HarmonyOS|visitor|Mozilla/5.0 (Linux; Android 10; SEA-AL10 Build/HUAWEISEA-AL10; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/76.0.3809.89 Mobile Safari/537.36 T7/12.27 BDOS/1.0(HarmonyOS 2.2.0)baiduboxapp/12.27.5.10 (Baidu; P1 10)
tablet|Chrome|iOS|visitor|Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131 Version/11.1.1 Safari/605.1.15
tablet|Firefox|iOS|visitor|Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/132.0 Safari/605.1.15
tablet|Edge|iOS|visitor|Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 EdgiOS/131.0.2903.68 Safari/605.1.15
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 9; BRAVIA 4K GB Build/PTT1.190515.001.S97) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118.0.0.0 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 11; Smart TV Pro) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 11; MITV-AYFR0 Build/RTT0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 11; TPM191E) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0.4664.104 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 9; STB0819) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/84.0.4147.89 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 9; SHIELD Android TV Build/PPR1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118.0.0.0 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 6.0.1; 32FK30G Build/M5C14J) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/66.0.3359.106 Mobile Safari/537.36
tv|Yandex Browser|Android|visitor|Mozilla/5.0 (Linux; Android 9; 43F1YDX000BS2 Build/PPR2; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/83.0.4103.120 YaBrowser/22.8.0.12 (lite) TV Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 9; H96 Max) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/83.0.4103.101 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 12; Chromecast HD Build/STTL.240508.005) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124 Safari/537.36 CrKey/1.56.500000
tv|Amazon Silk|Android|visitor|Mozilla/5.0 (Linux; Android 9; AFTKA) AppleWebKit/537.36 (KHTML, like Gecko) Silk/120.4.1 like Chrome/120.0.6099.230 Safari/537.36
tv|Samsung Internet|Tizen|visitor|Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) 85.0.4183.93/6.5 TV Safari/537.36 SamsungBrowser/4.0
tv|Samsung Internet|Tizen|visitor|Mozilla/5.0 (Linux; Tizen 2.3) AppleWebKit/538.1 (KHTML, like Gecko) Version/2.3 TV Safari/538.1 SamsungBrowser/1.0
tv|Safari|tvOS|visitor|Mozilla/5.0 (Apple TV; CPU AppleTV OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15
tv|Opera|Linux|visitor|Opera/9.80 (Linux 7335b0-smp; U; HbbTV/1.1.1 (; Humax; iCord MINI; 0.90.02; 1.0; ); ce-html/1.0; en) Presto/2.10.250 Version/11.60
tv|Chrome|Linux|visitor|Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/76.0.3809.100 Safari/537.36 VIDAA/4.0 Hisense
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 12; Chromecast) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 10; 4T-C50DL6X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/100.0.0.0 Safari/537.36
tv|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 12; onn. 4K Streaming Box) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36
tv|other|other|visitor|Roku4640X/DVP-7.70 (297.70E04154A)
tablet|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 7.0; BTV-W09) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/116.0.0.0 Safari/537.36
tablet|Chrome|Android|visitor|Mozilla/5.0 (Linux; Android 7.0; BTV-DL09) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/116.0.0.0 Safari/537.36
console|Safari|PlayStation|visitor|Mozilla/5.0 (PlayStation; PlayStation 5/6.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15
console|Safari|PlayStation|visitor|Mozilla/5.0 (PlayStation 4 11.00) AppleWebKit/605.1.15 (KHTML, like Gecko)
console|Edge|Xbox|visitor|Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edge/44.19041.5371
console|Safari|Nintendo|visitor|Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/606.4 (KHTML, like Gecko) NF/6.0.1.15.4 NintendoBrowser/5.1.0.20393
mobile|WeChat|Android|visitor|Mozilla/5.0 (Linux; Android 13; V2199A Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160065 MMWEBSDK/20231202 MMWEBID/2247 MicroMessenger/8.0.47.2560(0x28002F35) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64 Process/tools
mobile|Alipay|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 16_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/20E247 ChannelId(73) NebulaSDK/1.8.100112 Nebula AlipayDefined(nt:4G,ws:320|504|2.0) AliApp(AP/10.3.90) AlipayClient/10.3.90 Alipay Language/zh-Hans
mobile|Apple News|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 AppleNews/900 Version/9.0
mobile|Brave|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/27.0 Mobile/15E148 Safari/604.1 Brave
mobile|Whale|Android|visitor|Mozilla/5.0 (Linux; Android 13; SM-S918N) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118.0.5993.112 Whale/3.0.0.2 Mobile Safari/537.36
mobile|NAVER|iOS|visitor|Mozilla/5.0 (iPhone; CPU iPhone OS 16_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.0 Mobile/15E148 Safari/604.1 NAVER(inapp; search; 2000; 12.10.4; 13PRO)
mobile|KakaoTalk|Android|visitor|Mozilla/5.0 (Linux; Android 13; SM-G991N Build/TP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/119.0.6045.163 Mobile Safari/537.36;KAKAOTALK 2410420
`;
