import { canonicalize, hostSuffixes } from "../../../platform/lib/canonical-url.ts";
import type { Finding } from "../finding.ts";
import { hasHostAsUserName, isLookalike } from "./lookalike.ts";

/** Services that shorten links for anybody. Their links hide where they lead. */
const SHORTENERS = new Set(
  `adf.ly adfoc.us b.link bc.vc bit.do bit.ly bitly.com bitly.is bl.ink bly.to bom.so buff.ly chilp.it clck.ru cli.gs cutt.ly
  cutt.us cuttly.com da.gd db.tt dlvr.it dub.co dub.sh fb.me flip.it gg.gg git.io goo.gl goo.su han.gl hubs.la hubs.ly
  i8.ae ibit.ly ift.tt is.gd j.mp kutt.it kutt.to lc.chat lihi.cc lihi1.com link.ac linkd.in linktw.in lnk.bio lnkd.in loom.ly mcaf.ee me2.do
  mitly.us moourl.com mz.cm n9.cl nyti.ms ow.ly owl.li oxelt.gl page.link par.ms picz.in pli.gs po.st prettylinkpro.com ppt.cc
  qr.ae qr1.be qrco.de rb.gy rebrand.ly reurl.cc rotf.lol s.coop s.id s.yam.com seomafia.net short.cm short.gy short.io
  shorte.st shorturl.at shorturl.asia shrtco.de shrinke.me smarturl.it sn.im snip.ly snipr.com snipurl.com snurl.com soo.gd spoo.me
  sor.bz srt.am starturl.com surl.li t.cn t.co t.ly t1p.de t2m.io tiny.cc tiny.ee tiny.ie tiny.one tiny.pl tinyarrows.com tinylink.in
  tinyurl.com tinyurl.is to.ly tr.im trib.al u.nu u.to ulvis.net urlr.me urlz.fr urlzs.com utfg.sk v.gd v.ht vk.cc wp.me
  x.co x.gd xurl.es y2u.be yep.it youtu.ly zi.ma zpr.io zws.im`.split(/\s+/),
);

/** What is suspicious about a URL by its address alone; null: nothing. `ownHost`: the host of the service. */
export function suspect(url: string, ownHost: string): Finding | null {
  const canonical = canonicalize(url);
  if (canonical === null) return null;
  if (isShortener(canonical.host)) return { verdict: "warn", reason: "shortener", source: "address" };
  if (!hasHostAsUserName(url) && !isLookalike(canonical.host, ownHost)) return null;
  return { verdict: "warn", reason: "lookalike", source: "address" };
}

/** Whether the host belongs to another link shortener. */
function isShortener(host: string): boolean {
  return hostSuffixes(host).some((each) => SHORTENERS.has(each));
}
