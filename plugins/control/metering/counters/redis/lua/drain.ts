/**
 * Hands out postings for the ledger to one process at a time, which has them for as long as its lease. Arguments: the token of
 * the process, milliseconds of its lease, or 0 to give it up, the stream's id of the last posting that the ledger has taken, or
 * nothing, and how many it wants. Answers `complete` or `lost` for the counters, how many postings found no place since the last
 * time, then, if there are any, the stream's id of the last posting that is handed out, and all of them, one in a line; where the
 * lease is given up, how many postings are left.
 */
export const drainLua = `
if epoch then
  sweep(advance())
  save()
end
local state, lease, token, ms, taken = epoch and 'complete' or 'lost', P .. 'drain', ARGV[1], tonumber(ARGV[2]), ARGV[3]
if taken ~= '' then
  -- No posting comes in before another one, so that those up to the last are the ones that were handed out.
  local time, number = string.match(taken, '^(%d+)-(%d+)$')
  redis.call('XTRIM', POSTINGS, 'MINID', time .. '-' .. int(tonumber(number) + 1))
end
local holder = redis.call('GET', lease)
if ms == 0 then
  if holder == token then redis.call('DEL', lease) end
  return { state, '0', int(redis.call('XLEN', POSTINGS)) }
end
if holder and holder ~= token then return { state, '0' } end
redis.call('SET', lease, token, 'PX', ms)
local lost = redis.call('HGET', META, 'lost') or '0'
if lost ~= '0' then redis.call('HDEL', META, 'lost') end
if ARGV[4] == '0' then return { state, lost } end
local last, lines = nil, {}
for index, posting in ipairs(redis.call('XRANGE', POSTINGS, '-', '+', 'COUNT', ARGV[4])) do
  last, lines[index] = posting[1], posting[2][2]
end
if not last then return { state, lost } end
return { state, lost, last, table.concat(lines, '\\n') }
`;
