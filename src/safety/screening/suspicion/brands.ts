/** The domains of brands that phishing imitates most: banks, payments, mail, shops, carriers, coins and networks. */
export const BRAND_DOMAINS: readonly string[] =
  `adobe.com airbnb.com alibaba.com aliexpress.com allegro.pl amazon.com americanexpress.com apple.com att.com bankofamerica.com
  barclays.co.uk binance.com blockchain.com booking.com bradesco.com.br caixabank.es capitalone.com cashapp.com chase.com
  citibank.com cloudflare.com coinbase.com commbank.com.au correos.es coinmarketcap.com credit-agricole.fr deutschepost.de
  discord.com docusign.com dropbox.com easyjet.com ebay.com epicgames.com etsy.com facebook.com fedex.com
  flipkart.com github.com gitlab.com google.com gmail.com hsbc.com icloud.com inpost.pl instagram.com intesasanpaolo.com itau.com.br
  kraken.com laposte.fr ledger.com linkedin.com lloydsbank.com mastercard.com mercadolibre.com metamask.io microsoft.com
  microsoftonline.com nationwide.co.uk natwest.com netflix.com nubank.com.br office365.com onedrive.com opensea.io outlook.com paypal.com payoneer.com pinterest.com
  postbank.de rabobank.nl rakuten.com revolut.com roblox.com royalmail.com salesforce.com samsung.com santander.com sberbank.ru
  scotiabank.com shopify.com snapchat.com sparkasse.de spotify.com standardbank.co.za steamcommunity.com steampowered.com
  stripe.com telegram.org tiktok.com tripadvisor.com trezor.io trustwallet.com twitch.tv twitter.com uber.com uniswap.org unicredit.it
  usbank.com usps.com venmo.com verizon.com vodafone.com walmart.com wellsfargo.com westernunion.com whatsapp.com
  wikipedia.org wordpress.com xfinity.com yahoo.com yandex.ru youtube.com zalando.com zelle.com zoom.us`.split(/\s+/);
