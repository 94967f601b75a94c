/** The scripts for the work outside of decisions. */
export const upkeepScripts = {
  /**
   * Takes or renews the right to rebuild the counters. Arguments: the token of the process, and milliseconds. Returns `yours`,
   * `others`, or `complete` if there is nothing to build.
   */
  claimBuild: `
if epoch then return { 'complete' } end
-- The sums of the ledger do not contain queued postings yet.
if redis.call('XLEN', POSTINGS) > 0 then return { 'others' } end
local lease = P .. 'build'
local holder = redis.call('GET', lease)
if holder and holder ~= ARGV[1] then return { 'others' } end
redis.call('SET', lease, ARGV[1], 'PX', ARGV[2])
return { 'yours' }
`,

  /**
   * Sets counters to sums of the ledger. Arguments: the token, milliseconds, the new epoch or nothing if more sums follow, then
   * for each sum its policy, bucket, kind of reset, days, moment from which these are counted, start of the window and used
   * amount. Returns `done`, or `others` if another process has taken over.
   */
  build: `
local lease = P .. 'build'
if epoch or redis.call('GET', lease) ~= ARGV[1] then return { 'others' } end
redis.call('SET', lease, ARGV[1], 'PX', ARGV[2])
local now = advance()
saving(function()
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
end)
if ARGV[3] ~= '' then
  redis.call('HSET', META, 'epoch', ARGV[3])
  redis.call('DEL', lease)
end
return { 'done' }
`,

  /**
   * Hands out postings for the ledger to one process at a time, which holds them for as long as its lease. Arguments: the token
   * of the process; milliseconds of its lease, or 0 to release it; the stream's id of the last posting that the ledger has
   * stored, or nothing; and the maximum number of postings. Returns `complete` or `lost` for the counters, how many postings were
   * lost since the last time, then, if there are any, the stream's id of the last posting that is handed out, and all of them,
   * one per line; if the lease is released, how many postings are left.
   */
  drain: `
if epoch then
  local now = advance()
  saving(function() sweep(now) end)
end
local state, lease, token, ms, taken = epoch and 'complete' or 'lost', P .. 'drain', ARGV[1], tonumber(ARGV[2]), ARGV[3]
if taken ~= '' then
  -- Postings are only appended, so those up to the last one are exactly those that were handed out.
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
`,

  /**
   * Returns the state of counters. Argument: counters as a JSON list. Returns `read` and a text of four words for each, or
   * `lost`.
   */
  read: `
if not epoch then return { 'lost' } end
local now = advance()
saving(function() sweep(now) end)
local answer = { 'read' }
for _, charge in ipairs(readPlaces(cjson.decode(ARGV[1]), now)) do
  answer[#answer + 1] = stateOf(charge, look(counterKey(charge.policy, charge.start), charge.bucket))
end
return answer
`,

  /**
   * Sets what a counter has settled to 0. Argument: a JSON list of one counter. Returns `reset`, the previous amount and its
   * window, or `lost`.
   */
  reset: `
if not epoch then return { 'lost' } end
local now = advance()
local charge = readPlaces(cjson.decode(ARGV[1]), now)[1]
local used = saving(function()
  sweep(now)
  made()
  local counter = look(counterKey(charge.policy, charge.start), charge.bucket)
  local used = counter.used
  if counter.isThere then change(counter, 0, counter.reserved) end
  return used
end)
return { 'reset', int(used), charge.start }
`,
} as const;
