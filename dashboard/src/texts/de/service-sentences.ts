/** What people meet of the sentences of the service, with … for what is inserted. */
export const serviceSentences: Readonly<Record<string, string>> = {
  // What is wrong with a field, after its name and a colon
  "is required": "Pflichtfeld",
  "is not valid": "ungültig",
  "must not be empty": "darf nicht leer sein",
  "must have at least … characters": "muss mindestens … Zeichen haben",
  "must have at most … characters": "darf höchstens … Zeichen haben",
  "must have at most … characters, percent-encoding included":
    "darf höchstens … Zeichen haben, mit der Prozent-Kodierung",
  "must have at most … items": "darf höchstens … Einträge haben",
  "must be at most … rules": "höchstens … Regeln sind möglich",
  "must be at most … aliases": "höchstens … frühere Slugs sind möglich",
  "must name at most … countries": "darf höchstens … Länder nennen",
  "must name each country once": "muss jedes Land nur einmal nennen",
  "must be one of …": "möglich sind nur: …",
  "must be a whole number": "muss eine ganze Zahl sein",
  "must be more than 0": "muss größer als 0 sein",
  "must be less than 100; leave it out for all visitors":
    "muss kleiner als 100 sein; für alle Besucher lassen Sie es weg",
  "must not contain line breaks or unreadable characters":
    "darf keine Zeilenumbrüche und keine unlesbaren Zeichen enthalten",
  "must not contain spaces, line breaks or unreadable characters":
    "darf keine Leerzeichen, Zeilenumbrüche und unlesbaren Zeichen enthalten",
  "must not contain spaces, backslashes, line breaks or unreadable characters":
    "darf keine Leerzeichen, umgekehrten Schrägstriche, Zeilenumbrüche und unlesbaren Zeichen enthalten",
  "must not contain unreadable characters; remove …, which is character …":
    "darf keine unlesbaren Zeichen enthalten; entfernen Sie …, das Zeichen Nummer …",
  "must not contain unreadable characters": "darf keine unlesbaren Zeichen enthalten",
  "must begin with http:// or https://": "muss mit http:// oder https:// beginnen",
  "must be a URL that begins with https://": "muss eine URL sein, die mit https:// beginnt",
  "must be a complete URL, such as https://example.com/page":
    "muss eine vollständige URL sein, etwa https://example.com/page",
  "must be a complete URL, such as https://example.com/hooks":
    "muss eine vollständige URL sein, etwa https://example.com/hooks",
  "must be a complete address, such as acme://spring": "muss eine vollständige Adresse sein, etwa acme://spring",
  "must have a host after the //, such as https://example.com/page":
    "muss nach // einen Host haben, etwa https://example.com/page",
  "must have a host that ends in a letter or is an IPv4 address":
    "muss einen Host haben, der mit einem Buchstaben endet oder eine IPv4-Adresse ist",
  "must have a host of letters, digits, hyphens, underscores and dots":
    "muss einen Host aus Buchstaben, Ziffern, Bindestrichen, Unterstrichen und Punkten haben",
  "must have a port from 1 to 65535": "muss einen Port von 1 bis 65535 haben",
  "must have a valid host; … is none": "muss einen gültigen Host haben; … ist keiner",
  "must have a host that a browser can reach; … is the address …":
    "muss einen Host haben, den ein Browser erreicht; … ist die Adresse …",
  "must not have the port …, which browsers refuse": "darf nicht den Port … haben, den Browser ablehnen",
  "must not have a host with two dots in a row or with a dot at its beginning":
    "darf keinen Host mit zwei Punkten hintereinander oder mit einem Punkt am Anfang haben",
  "must not contain a user name or password": "darf keinen Benutzernamen und kein Passwort enthalten",
  "must not contain a user name or password; remove the part up to the @":
    "darf keinen Benutzernamen und kein Passwort enthalten; entfernen Sie den Teil bis zum @",
  "has a top-level domain that no public host has": "hat eine Top-Level-Domain, die kein öffentlicher Host hat",
  "must be on a public host, not on a private or internal one":
    "muss auf einem öffentlichen Host sein, nicht auf einem privaten oder internen",
  "must not lead back to this service": "darf nicht zu diesem Dienst zurückführen",
  "must not lead to a domain of this service": "darf nicht zu einer Domain dieses Dienstes führen",
  "must be 1 to … letters, digits, - or _": "muss 1 bis … Buchstaben, Ziffern, - oder _ haben",
  "A custom domain can permit single slashes between them":
    "Eine eigene Domain kann einzelne Schrägstriche dazwischen erlauben",
  "has a slash, which needs a custom domain that permits slashes in slugs":
    "hat einen Schrägstrich, wofür eine eigene Domain nötig ist, die Schrägstriche in Slugs erlaubt",
  "Permit them in the settings of the domain, or choose a slug without a slash":
    "Erlauben Sie sie in den Einstellungen der Domain, oder wählen Sie einen Slug ohne Schrägstrich",
  "cannot be on together with …": "kann nicht zusammen mit „…“ an sein",
  "Turn off … first": "Schalten Sie zuerst „…“ aus",
  "Slashes in slugs stay permitted at …, because links there have some in their slugs or aliases, or deleted links that can be restored have":
    "Schrägstriche in Slugs bleiben bei … erlaubt, weil Links dort welche in ihrem Slug oder in früheren Slugs haben, oder gelöschte Links, die sich wiederherstellen lassen",
  "Give the links other slugs and remove such aliases, or delete the links":
    "Geben Sie den Links andere Slugs und entfernen Sie solche früheren Slugs, oder löschen Sie die Links",
  "Deleted links no longer count after … days": "Gelöschte Links zählen nach … Tagen nicht mehr",
  "is reserved for the service": "ist für den Dienst reserviert",
  "is no verified domain of this account": "ist keine bestätigte Domain dieses Kontos",
  "must be in the future; a number is in milliseconds": "muss in der Zukunft liegen",
  "must end after it starts": "muss nach dem Beginn enden",
  "needs at least one condition": "braucht mindestens eine Bedingung",
  "needs at least one parameter": "braucht mindestens einen Parameter",
  "needs at least one tag": "braucht mindestens ein Tag",
  "needs a title, a description or an image": "braucht einen Titel, eine Beschreibung oder ein Bild",
  "must name at least one event": "muss mindestens ein Ereignis nennen",
  "must name at least one permission": "muss mindestens eine Berechtigung nennen",
  "must be a country (ISO 3166-1), such as DE or GB": "muss ein Land sein (ISO 3166-1), etwa DE oder GB",
  "must be a region (ISO 3166-2), such as US-CA": "muss eine Region sein (ISO 3166-2), etwa US-CA",
  "must be a language (BCP 47), such as de or pt-BR": "muss eine Sprache sein (BCP 47), etwa de oder pt-BR",
  "must be a host name without anything else, such as example.com; it includes its subdomains":
    "muss nur ein Hostname sein, etwa example.com; seine Subdomains gehören dazu",
  "must be only the name of a host: …": "muss nur der Name eines Hosts sein: …",
  "must have at least two labels, such as go.acme.com": "muss mindestens zwei Teile haben, etwa go.acme.com",
  "must be a single name; wildcards are not supported": "muss ein einzelner Name sein; Platzhalter gehen nicht",
  "must be a name, not an IP address": "muss ein Name sein, keine IP-Adresse",
  "is not a valid host name": "ist kein gültiger Hostname",
  "is a public suffix, under which anyone can register names":
    "ist ein öffentliches Suffix, unter dem jeder Namen registrieren kann",
  "is the service's own host or a subdomain of it": "ist der eigene Host des Dienstes oder eine Subdomain davon",
  "is a parent domain of the service's own host": "ist eine Domain über dem eigenen Host des Dienstes",
  "must be the https URL of an image, with a host name and at most … characters":
    "muss die https-URL eines Bildes sein, mit einem Hostnamen und höchstens … Zeichen",
  "must be #rgb or #rrggbb": "muss #rgb oder #rrggbb sein",
  "must be darker than the background …: many scanners cannot read a light code on a dark background":
    "muss dunkler sein als der Hintergrund …: Viele Scanner lesen keinen hellen Code auf dunklem Hintergrund",
  "has too little contrast with the background …: … to 1, and scanners need … to 1":
    "hat zu wenig Kontrast zum Hintergrund …: … zu 1, und Scanner brauchen … zu 1",
  "must be a PNG or JPEG image": "muss ein PNG- oder JPEG-Bild sein",
  "must have at most … bytes; this image has …": "darf höchstens … Bytes haben; dieses Bild hat …",
  "is declared as image/…, but its first bytes belong to another format":
    "ist als image/… angegeben, aber die ersten Bytes gehören zu einem anderen Format",
  "is not a whole …": "ist kein vollständiges …",
  "must be Q or H with a logo, because the logo covers modules":
    "muss mit einem Logo Q oder H sein, weil das Logo Module verdeckt",
  "must have its international domain in Punycode: …@…": "muss die internationale Domain in Punycode haben: …@…",
  "must be in ASCII; an international domain is written in Punycode (xn--…)":
    "darf nur ASCII-Zeichen enthalten; eine internationale Domain wird in Punycode geschrieben (xn--…)",
  "must be an e-mail address, such as ann@example.com": "muss eine E-Mail-Adresse sein, etwa ann@example.com",
  "is your address already": "ist schon Ihre Adresse",
  "is one of the commonest passwords; choose another one":
    "ist eines der häufigsten Passwörter; wählen Sie ein anderes",
  "is made of your name, your address, or words of this service; add other words":
    "besteht aus Ihrem Namen, Ihrer Adresse oder Wörtern dieses Dienstes; fügen Sie andere Wörter hinzu",
  "is known from a breach of another service; choose another one":
    "ist aus einem Datenleck eines anderen Dienstes bekannt; wählen Sie ein anderes",
  "is wrong; check the clock of the device, and try the next code":
    "ist falsch; prüfen Sie die Uhr des Geräts und versuchen Sie den nächsten Code",

  // Whole sentences
  "Try again": "Versuchen Sie es noch einmal",
  "Try again later": "Versuchen Sie es später noch einmal",
  "Try again in … second": "Versuchen Sie es in … Sekunde noch einmal",
  "Try again in … seconds": "Versuchen Sie es in … Sekunden noch einmal",
  "Try again in … minute": "Versuchen Sie es in … Minute noch einmal",
  "Try again in … minutes": "Versuchen Sie es in … Minuten noch einmal",
  "Try again in … hours": "Versuchen Sie es in … Stunden noch einmal",
  "Nothing was changed": "Nichts wurde geändert",
  "Nothing was done": "Nichts wurde getan",
  "No mail was sent": "Keine E-Mail wurde gesendet",
  "Choose another one": "Wählen Sie einen anderen",
  "Delete one first": "Löschen Sie zuerst etwas davon",
  "Remove one first": "Entfernen Sie zuerst einen",
  "Remove it first": "Entfernen Sie sie zuerst",
  "Add and verify it first": "Fügen Sie sie zuerst hinzu und bestätigen Sie sie",
  "Add one first": "Fügen Sie zuerst eine hinzu",
  "Create a new one": "Erstellen Sie einen neuen",
  "Begin again": "Beginnen Sie von vorn",
  "Split it into several files": "Teilen Sie sie in mehrere Dateien auf",
  "Too many requests…": "Zu viele Anfragen",
  "Too many wrong passwords": "Zu viele falsche Passwörter",
  "There were too many wrong attempts": "Es gab zu viele falsche Versuche",
  "This address has had several invitations lately": "Diese Adresse hat zuletzt mehrere Einladungen bekommen",
  "This service sends too many mails at the moment": "Dieser Dienst sendet gerade zu viele E-Mails",
  "Too many people are looking at the shared pages of this account":
    "Zu viele Personen sehen sich gerade die geteilten Seiten dieses Kontos an",
  "The slug … is taken": "Der Slug … ist vergeben",
  "The slug … was used again after the deletion, so this link cannot be restored":
    "Der Slug … wurde nach dem Löschen wieder verwendet, deshalb kann dieser Link nicht wiederhergestellt werden",
  "No free slug was found": "Kein freier Slug wurde gefunden",
  "Other requests are changing this link at the same time": "Andere Anfragen ändern diesen Link gleichzeitig",
  "… is not a verified domain of this account": "… ist keine bestätigte Domain dieses Kontos",
  "This account already has the domain …": "Dieses Konto hat die Domain … schon",
  "The former links of … are still being deleted": "Die früheren Links von … werden noch gelöscht",
  "There are … of these already": "Davon gibt es schon …, mehr sind nicht möglich",
  "There is no such link": "Diesen Link gibt es nicht",
  "There is no such domain": "Diese Domain gibt es nicht",
  "There is no such key": "Diesen Schlüssel gibt es nicht",
  "There is no such webhook": "Diesen Webhook gibt es nicht",
  "There is no such team": "Dieses Team gibt es nicht",
  "There is no such member": "Dieses Mitglied gibt es nicht",
  "There is no such session": "Diese Sitzung gibt es nicht",
  "There is no such passkey": "Diesen Passkey gibt es nicht",
  "There is no such shared page": "Diese geteilte Seite gibt es nicht",
  "There is another …view with this name": "Es gibt schon eine andere Ansicht mit diesem Namen",
  "This account has another UTM template with the name …": "Dieses Konto hat eine andere UTM-Vorlage mit dem Namen …",
  "You get this report already, as often": "Diesen Bericht bekommen Sie schon, genauso oft",
  "A person gets at most … reports of an account, and its members …":
    "Eine Person bekommt höchstens … Berichte eines Kontos, alle seine Mitglieder zusammen …",
  "End one first": "Beenden Sie zuerst einen",
  "A person with this address is a member already": "Eine Person mit dieser Adresse ist schon Mitglied",
  "A team needs an owner": "Ein Team braucht einen Inhaber",
  "Make another member the owner first": "Machen Sie zuerst ein anderes Mitglied zum Inhaber",
  "The team has … members, which is the maximum": "Das Team hat … Mitglieder, mehr sind nicht möglich",
  "You have … passkeys, which is the maximum": "Sie haben … Passkeys, mehr sind nicht möglich",
  "This passkey was added before": "Dieser Passkey wurde schon hinzugefügt",
  "You have an authenticator app already": "Sie haben schon eine Authenticator-App",
  "You have no authenticator app": "Sie haben keine Authenticator-App",
  "Another request changed the authenticator app": "Eine andere Anfrage hat die Authenticator-App geändert",
  "The address or the password is wrong": "Die Adresse oder das Passwort ist falsch",
  "The password is wrong": "Das Passwort ist falsch",
  "The code is wrong or was used before": "Der Code ist falsch oder wurde schon verwendet",
  "An authenticator app shows a new one every 30 seconds": "Eine Authenticator-App zeigt alle 30 Sekunden einen neuen",
  "The passkey was not accepted: it is unknown, was removed, or did not verify the person":
    "Der Passkey wurde nicht angenommen: Er ist unbekannt, wurde entfernt oder hat die Person nicht geprüft",
  "That is not the password": "Das ist nicht das Passwort",
  "Check it, including upper and lower case, and try again":
    "Prüfen Sie es, auch die Groß- und Kleinschreibung, und versuchen Sie es noch einmal",
  "Sign in first": "Melden Sie sich zuerst an",
  "No session was sent, or it has ended": "Die Sitzung fehlt oder ist beendet",
  "Another person asked for this change": "Eine andere Person wollte diese Änderung",
  "Sign in as that person": "Melden Sie sich als diese Person an",
  "The operator of this service has disabled this account":
    "Der Betreiber dieses Dienstes hat dieses Konto deaktiviert",
  "The password cannot be checked now": "Das Passwort kann gerade nicht geprüft werden",
  "Too many passwords are being checked at the moment": "Gerade werden zu viele Passwörter geprüft",
  "A part of the service is overloaded or restarting": "Ein Teil des Dienstes ist überlastet oder startet neu",
  "The rate limiter did not respond": "Die Begrenzung der Anfragen hat nicht geantwortet",
  "The database did not respond": "Die Datenbank hat nicht geantwortet",
  "The change may have been applied; check before retrying":
    "Die Änderung wurde vielleicht gemacht; prüfen Sie das, bevor Sie es noch einmal versuchen",
  "This webhook is inactive": "Dieser Webhook ist inaktiv",
  "The export is not done yet": "Der Export ist noch nicht fertig",
  "The file is empty": "Die Datei ist leer",
  "The file has more than … links": "Die Datei hat mehr als … Links",
  "The file has more than … columns": "Die Datei hat mehr als … Spalten",
  "The file is a web page": "Die Datei ist eine Webseite",
  "Export the links as CSV or JSON at the old service, and upload that file":
    "Exportieren Sie die Links beim alten Dienst als CSV oder JSON, und laden Sie diese Datei hoch",
  "A table of a web page can be saved as CSV in a spreadsheet":
    "Eine Tabelle einer Webseite lässt sich in einer Tabellenkalkulation als CSV speichern",
  "The file has no links": "Die Datei hat keine Links",
  "The row that begins in line … has more than … bytes":
    "Die Zeile, die in Zeile … der Datei beginnt, hat mehr als … Bytes",
  "Look for a quotation mark in it that is not closed":
    "Suchen Sie darin ein Anführungszeichen, das nicht geschlossen ist",
  "The row that begins in line … has a quotation mark that is not closed":
    "Die Zeile, die in Zeile … der Datei beginnt, hat ein Anführungszeichen, das nicht geschlossen ist",
  "The file may be incomplete": "Die Datei ist vielleicht unvollständig",
  "The objects of the file have more than … different fields":
    "Die Objekte der Datei haben mehr als … verschiedene Felder",
  "Object … of the file has more than … bytes": "Objekt … der Datei hat mehr als … Bytes",
  "Object … of the file is nested more than … levels deep":
    "Objekt … der Datei ist mehr als … Ebenen tief verschachtelt",
  "The file ends in the middle of its JSON, after … complete …":
    "Die Datei endet mitten im JSON; vollständige Objekte davor: …",
  "The file is not valid JSON": "Die Datei ist kein gültiges JSON",
  "Its object …, or what follows it, cannot be read": "Objekt … oder was ihm folgt ist nicht lesbar",
  "The names of the columns have more than … bytes": "Die Namen der Spalten haben mehr als … Bytes",
};
