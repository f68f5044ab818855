-- For wrk: sends the same request each time, or one with a number; prints a JSON line at the end.
-- Arguments are name=value: method, path, body (a # in the last two is replaced by the number), first (the first number),
-- below (the largest number), address (the first IP address; each address makes a few calls).

-- Has no common divisor with a power of ten. Numbers come in a scattered order, so that neighbours in an index are not
-- requested together.
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

-- Addresses take turns, so that no address has two calls at the same time. Those that follow each other are in different
-- networks, because anonymous links are limited by network.
local function addressOf(call)
  local caller = tonumber(given.address) + math.floor(call / (callsPerAddress * callersAtOnce)) * callersAtOnce + call % callersAtOnce
  return string.format("10.%d.%d.%d", math.floor(caller / 256) % 256, caller % 256, math.floor(caller / 65536) % 256)
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
