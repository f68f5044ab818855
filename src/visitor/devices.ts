/** Kinds of machine by their user agent; light, since redirects ask too. */

/** Tablets that say so in another way than Android's. */
export const TABLETS = /\b(?:iPad|Kindle|PlayBook|Opera Tablet)\b|\bSilk\/(?!.*\bMobile\b)/i;

/** Telephones that have no system of today. */
export const PHONES =
  /\biP(?:hone|od)\b|\bMIDP|\bCLDC|\bJ2ME\b|\bBREW\b|\bUP\.Browser|\bObigo|\bTeleca\b|\bWindows CE\b|\bwebOS\/1\./i;

/** Televisions, consoles, glasses, cars and the like. */
export const THINGS =
  /smart-?tv|google ?tv|android ?tv|apple ?tv|hbbtv|netcast|\bviera\b|bravia|\broku\b|crkey|web0s|\btv[;/)]|\bAFT[A-Z0-9]+\b|\bMi ?(?:TV|BOX)|nettv|\bdtv|\bplaystation|\bnintendo|\bxbox|\bwatch\b|\bquest|oculus|\btesla\b|qtcarbrowser|\bBYD AUTO\b|\brivian\b|\bVCC;|\bautomotive\b|\bmobile vr\b/i;
