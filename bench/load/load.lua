-- For wrk: one request again and again, or a numbered one each time; prints one JSON line at the end.
-- Arguments are name=value: method, path, body (in both # stands for the number), first (number), below (there are only
-- so many numbers), address (the first of those that callers have, a few calls from each).

-- Prime to all powers of ten: numbers do not come in order, so that neighbours in an index are not asked for together.
local stride = 618033
local callsPerAddress = 5
local callersAtOnce = 64

local given = {}
local count = 0
local fixed = nil

function init(arguments)
  for _, argument in ipairs(arguments) do
    local name, value = argument:match("^(%a+)=(.*)$")
    given[name] = value
  end
  wrk.method = given.method or "GET"
  if given.body then wrk.headers["Content-Type"] = "application/json" end
  if not given.first and not given.address then fixed = wrk.format(nil, given.path, nil, given.body) end
end

local function numbered(text, number)
  return text and text:gsub("#", number)
end

-- Callers take turns, so that no two calls of one meet.
local function addressOf(call)
  local caller = tonumber(given.address) + math.floor(call / (callsPerAddress * callersAtOnce)) * callersAtOnce + call % callersAtOnce
  return string.format("10.%d.%d.%d", math.floor(caller / 65536) % 256, math.floor(caller / 256) % 256, caller % 256)
end

function request()
  if fixed then return fixed end
  local number = (tonumber(given.first) or 0) + count
  if given.below then number = number * stride % tonumber(given.below) + 1 end
  if given.address then wrk.headers["CF-Connecting-IP"] = addressOf(count) end
  count = count + 1
  local name = string.format("%d", number)
  return wrk.format(nil, numbered(given.path, name), nil, numbered(given.body, name))
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"refused":%d,"failed":%d}\n',
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout
  ))
end
