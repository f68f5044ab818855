// The internet, as the Worker under test finds it: receivers of webhooks at any host, and a resolver of names. A test
// sets what they answer, and reads what they got, at the host "control".

let received = [];
let inFlight = new Set();
let mostInFlight = 0;
let lookedUp = [];
let answers = {};
let addresses = {};
let records = {};

export default {
  async fetch(request) {
    const url = new URL(request.url);
    if (url.hostname === "control") return control(request);
    const test = inFlight;
    test.add(request);
    mostInFlight = Math.max(mostInFlight, inFlight.size);
    try {
      return await respond(request, url);
    } finally {
      test.delete(request);
    }
  },
};

async function respond(request, url) {
  if (url.pathname === "/dns-query") {
    await wait(answerOf(url).waitMs);
    return resolve(url);
  }
  const headers = Object.fromEntries(request.headers);
  const entry = { url: request.url, method: request.method, headers, body: await request.text() };
  received.push(entry);
  let set = answerOf(url);
  while (set.hangs) {
    await wait(10);
    set = answerOf(url);
  }
  return answer(set);
}

const wait = (ms = 0) => new Promise((done) => setTimeout(done, ms));

async function control(request) {
  if (request.method === "POST") received = [];
  if (request.method === "DELETE") {
    received = [];
    // Requests of the last test do not count. Those that were aborted never end.
    inFlight = new Set();
    mostInFlight = 0;
    lookedUp = [];
    answers = {};
    addresses = {};
    records = {};
  }
  if (request.method === "PUT") {
    const settings = await request.json();
    Object.assign(answers, settings.answers);
    Object.assign(addresses, settings.addresses);
    Object.assign(records, settings.records);
  }
  return Response.json({ received, mostInFlight, lookedUp });
}

/** By host and path, or by host; a list is used up one after the other, its last for all that follow. */
function answerOf(url) {
  const key = [`${url.host}${url.pathname}`, url.host].find((key) => answers[key] !== undefined);
  const set = answers[key] ?? {};
  if (!Array.isArray(set)) return set;
  return set.length > 1 ? set.shift() : (set[0] ?? {});
}

async function answer({
  status = 200,
  statusText,
  headers = {},
  body = "ok",
  bytes,
  waitMs = 0,
  fails = false,
  endless = false,
  encodeBody = "automatic",
}) {
  if (fails) throw new Error("Network connection lost.");
  if (waitMs > 0) await wait(waitMs);
  return new Response(endless ? endlessBody() : status === 204 ? null : bytes ? Uint8Array.from(bytes) : body, {
    status,
    statusText,
    headers,
    encodeBody,
  });
}

function endlessBody() {
  const chunk = new Uint8Array(65_536);
  return new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
}

/**
 * DNS over HTTPS in its JSON form. Every name is public unless a test says otherwise; a list of lists changes from question
 * to question. "A servfail" and the like fail for this type, and respond with a public address for the other one.
 */
function resolve(url) {
  const name = url.searchParams.get("name");
  const type = url.searchParams.get("type");
  lookedUp.push(`${type} ${name}`);
  if (type === "TXT" || type === "CNAME") return resolveRecords(name, type);
  const set = addresses[name] ?? ["93.184.215.14"];
  if (set === "broken") return new Response("no", { status: 502 });
  if (set === "nonsense") return new Response("<html>", { status: 200 });
  if (typeof set === "string") return resolveHalf(name, type, ...set.split(" "));
  const now = Array.isArray(set[0]) ? (type === "AAAA" && set.length > 1 ? set.shift() : set[0]) : set;
  const wanted = now.filter((address) => address.includes(":") === (type === "AAAA"));
  return Response.json({
    Status: now.length === 0 ? 3 : 0,
    Answer: [
      { name, type: 5, TTL: 1, data: "alias.example.net." },
      ...wanted.map((data) => ({ name, type: type === "A" ? 1 : 28, TTL: 1, data })),
    ],
  });
}

const PUBLIC = { A: "93.184.215.14", AAAA: "2606:2800:21f:cb07:6820:80da:af6b:8b2c" };

function resolveHalf(name, type, failingType, failure) {
  const records = [{ name, type: type === "A" ? 1 : 28, TTL: 1, data: PUBLIC[type] }];
  if (type !== failingType) return Response.json({ Status: 0, Answer: records });
  if (failure === "truncated") return Response.json({ Status: 0, TC: true, Answer: records });
  return Response.json({ Status: STATUS[failure] });
}

const STATUS = { nodata: 0, missing: 3, servfail: 2, refused: 5 };

/** By "TXT name" or "CNAME name": what the records hold, or how the look-up fails. A name that is not set has none. */
function resolveRecords(name, type) {
  const set = records[`${type} ${name}`] ?? "missing";
  if (set === "broken") return new Response("no", { status: 502 });
  if (typeof set === "string") return Response.json({ Status: STATUS[set] });
  const number = { CNAME: 5, TXT: 16 }[type];
  // On the way to a TXT record there may be aliases.
  const alias = { name, type: 5, TTL: 1, data: "alias.example.net." };
  const found = set.map((data) => ({ name, type: number, TTL: 1, data }));
  return Response.json({ Status: 0, Answer: type === "TXT" ? [alias, ...found] : found });
}
