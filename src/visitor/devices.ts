// Kinds of devices by their user agent. Redirects evaluate this file, so it is small.

/** Tablets that are recognised by their name. */
export const TABLETS = /\b(?:iPad|Kindle|PlayBook|Opera Tablet)\b|\bSilk\/(?!.*\bMobile\b)/i;

/** iPhones, and phones with older systems. */
export const PHONES =
  /\biP(?:hone|od)\b|\bMIDP|\bCLDC|\bJ2ME\b|\bBREW\b|\bUP\.Browser|\bObigo|\bTeleca\b|\bWindows CE\b|\bwebOS\/1\./i;

/** Televisions, consoles, glasses, cars and similar devices. */
export const OTHER_DEVICES =
  /smart-?tv|google ?tv|android ?tv|apple ?tv|hbbtv|netcast|\bviera\b|bravia|\broku\b|crkey|web0s|\btv[;/)]|\bAFT[A-Z0-9]+\b|\bMi ?(?:TV|BOX)|nettv|\bdtv|\bplaystation|\bnintendo|\bxbox|\bwatch\b|\bquest|oculus|\btesla\b|qtcarbrowser|\bBYD AUTO\b|\brivian\b|\bVCC;|\bautomotive\b|\bmobile vr\b/i;
