-- For wrk: asks for numbered paths, each once, where a first number is given; prints one JSON line at the end.

local number, prefix = 0, nil

function init(arguments)
  number = tonumber(arguments[1]) or 0
  prefix = arguments[2]
end

function request()
  if prefix == nil then return wrk.format() end
  number = number + 1
  return wrk.format("GET", prefix .. (number - 1))
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"errors":%d}\n',
    summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout
  ))
end
