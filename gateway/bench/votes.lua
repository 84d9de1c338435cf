-- Votes of 100,000 voters for 50 options, as a script for wrk. Each request is another voter's, in a fixed order.

local number = 0

function setup(thread)
  thread:set("seed", number)
  number = number + 1
end

function init()
  number = seed * 1000003
end

function request()
  number = number + 1
  local voter = number * 7919 % 100000
  local body = string.format('{"by":"user:%d","votes":[{"member":"option:%d","votes":1}]}', voter, number % 50)
  return wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, body)
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format("votes a second: %.0f", summary.requests / summary.duration * 1e6))
  print(string.format("p50 %.2f ms, p99 %.2f ms, longest %.2f ms",
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
  print(string.format("failed: %d", errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
