-- Compares a page of a sorted set with a board.
-- KEYS: sorted set, board. ARGV: first place, last place, digits after the point that the board keeps.
-- Replies with how many members it compared, how many of them differ, and by how many members the two differ.
local rows = redis.call('ZREVRANGE', KEYS[1], ARGV[1], ARGV[2], 'WITHSCORES')
local form, differing = '%.' .. ARGV[3] .. 'f', 0
for at = 1, #rows, 2 do
  local score = redis.call('LB.SCORE', KEYS[2], rows[at])
  if not score or string.format(form, score) ~= string.format(form, rows[at + 1]) then
    differing = differing + 1
  end
end
return {#rows / 2, differing, redis.call('ZCARD', KEYS[1]) - redis.call('LB.COUNT', KEYS[2])}
