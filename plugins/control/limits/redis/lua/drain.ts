/** Postings that a process is handed at once. */
const batchSize = 500;

/**
 * Hands out postings for the ledger to one process at a time, which has them for as long as its lease. Arguments: the token of
 * the process, milliseconds of its lease, or 0 to give it up, then the stream's ids of postings that the ledger has taken. Answers
 * `complete` or `lost` for the counters, how many postings found no place since the last time, then for each posting its id in
 * the stream, its own id, what it corrects, its entry and its charges.
 */
export const drainLua: string = `
if epoch then sweep(advance()) end
local lease, token, ms = P .. 'drain', ARGV[1], tonumber(ARGV[2])
for at = 3, #ARGV do redis.call('XDEL', POSTINGS, ARGV[at]) end
local holder = redis.call('GET', lease)
if ms == 0 then
  if holder == token then redis.call('DEL', lease) end
  return { epoch and 'complete' or 'lost', '0' }
end
if holder and holder ~= token then return { epoch and 'complete' or 'lost', '0' } end
redis.call('SET', lease, token, 'PX', ms)
local lost = redis.call('HGET', META, 'lost') or '0'
if lost ~= '0' then redis.call('HDEL', META, 'lost') end
local answer = { epoch and 'complete' or 'lost', lost }
for _, posting in ipairs(redis.call('XRANGE', POSTINGS, '-', '+', 'COUNT', ${batchSize})) do
  local fields = posting[2]
  for _, text in ipairs({ posting[1], fields[2], fields[4], fields[6], fields[8] }) do answer[#answer + 1] = text end
end
return answer
`;
