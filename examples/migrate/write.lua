-- Writes points to a sorted set and, with the score that comes out, to a board: both or neither.
-- KEYS: sorted set, board. ARGV: points, member, digits after the point that the board keeps.
local score = redis.call('ZINCRBY', KEYS[1], ARGV[1], ARGV[2])
redis.call('LB.SET', KEYS[2], string.format('%.' .. ARGV[3] .. 'f', score), ARGV[2])
return score
