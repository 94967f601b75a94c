/**
 * Takes or renews the right to build the counters anew. Arguments: the token of the process, and milliseconds. Answers `yours`,
 * `others`, or `complete` if there is nothing to build.
 */
export const claimBuildLua = `
if epoch then return { 'complete' } end
-- What is on its way to the ledger is not in its sums yet.
if redis.call('XLEN', POSTINGS) > 0 then return { 'others' } end
local lease = P .. 'build'
local holder = redis.call('GET', lease)
if holder and holder ~= ARGV[1] then return { 'others' } end
redis.call('SET', lease, ARGV[1], 'PX', ARGV[2])
return { 'yours' }
`;

/**
 * Sets counters to sums of the ledger. Arguments: the token, milliseconds, the new epoch or nothing if more sums follow, then for
 * each sum policy, bucket, kind of reset, its days, its from, the start of its window and what was used. Answers `done`, or
 * `others` where another process has taken over.
 */
export const buildLua = `
local lease = P .. 'build'
if epoch or redis.call('GET', lease) ~= ARGV[1] then return { 'others' } end
redis.call('SET', lease, ARGV[1], 'PX', ARGV[2])
local now = advance()
for at = 4, #ARGV, 7 do
  local start = tonumber(ARGV[at + 5])
  local _, finish = windowOf(ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], start)
  if not finish or finish > now then
    local key = counterKey(ARGV[at], int(start))
    local counter = look(key, ARGV[at + 1])
    change(counter, tonumber(ARGV[at + 6]), counter.reserved)
    keep(key, finish and int(finish) or '', now)
  end
end
save()
if ARGV[3] ~= '' then
  redis.call('HSET', META, 'epoch', ARGV[3])
  redis.call('DEL', lease)
end
return { 'done' }
`;
