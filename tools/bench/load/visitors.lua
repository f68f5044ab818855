-- For wrk: different visitors request fifty links; prints a JSON line at the end.

local links = 50
local agents = {
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/%d.1 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/%d.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36 Edg/141.0.0.0",
}
local places = {
  { "DE", "BE", "Berlin", "EU" }, { "US", "TX", "Austin", "NA" }, { "BR", "SP", "São Paulo", "SA" },
  { "IN", "KA", "Bengaluru", "AS" }, { "FR", "IDF", "Paris", "EU" }, { "JP", "13", "Tokyo", "AS" },
}
local referrers = { "https://news.example/", "https://www.search.example/find?q=tern", "https://social.example/a/b" }

function request()
  local place = places[math.random(#places)]
  wrk.headers["User-Agent"] = string.format(agents[math.random(#agents)], math.random(90, 141))
  wrk.headers["CF-Connecting-IP"] = string.format("198.51.%d.%d", math.random(0, 255), math.random(0, 255))
  wrk.headers["Referer"] = referrers[math.random(#referrers + 2)]
  wrk.headers["MF-CF-Blob"] = string.format(
    '{"country":"%s","regionCode":"%s","city":"%s","continent":"%s"}', place[1], place[2], place[3], place[4]
  )
  return wrk.format("GET", "/many-" .. math.random(links))
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"refused":%d,"failed":%d}\n',
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout
  ))
end
