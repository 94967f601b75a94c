import { correctableMs, mostBuckets, sharedBucket } from '../../bounds.ts';

/** Where scripts have the time from: what TIME answers, seconds and microseconds. Only tests have another. */
export const redisTime = "redis.call('TIME')";

/** The most postings that wait in the stream; what comes after them is lost, and counted. */
const mostPostings = 500_000;

/** Reservations that one decision lets expire, so that none takes long. */
const mostExpired = 100;

/** Milliseconds for which counters are kept after their window. */
const keptMs = 60_000;

/** Milliseconds for which an id is remembered whose reservation may still arrive after it was released. */
const releasedMs = 10 * 60_000;

/**
 * What all scripts begin with. KEYS[1] is the beginning of all keys, with one hash tag, so that a cluster has them in one slot:
 *
 * - `meta`: `epoch`, which is there if the counters are complete; `raw` and `time`, the last time of Redis and of the counters
 *   in microseconds; `lost`, how many postings found no place
 * - `c:<policy>:<start>`: the counters of a policy in a window, `u:<bucket>` settled and `r:<bucket>` reserved
 * - `r:<id>`: a reservation that is held ("h"), expired ("e"), released before it came ("x"), or charged without one ("s"); what is
 *   held stays until it expires, even if no process is there for a long time
 * - `due`: ids of what is held, by when it expires
 * - `postings`: the stream of what the ledger is to get
 *
 * Amounts are texts of digits wherever Lua would round them: its numbers are exact up to 2 ^ 53, and its texts of them are not.
 */
export const prelude = (time: string): string => `
local P = KEYS[1]
local META, DUE, POSTINGS = P .. 'meta', P .. 'due', P .. 'postings'
local meta = redis.call('HMGET', META, 'epoch', 'raw', 'time')
local epoch = meta[1]

local function int(number) return string.format('%.0f', number) end

-- Milliseconds since the epoch. Where the time of Redis is set back, it goes on at half the speed until that has caught up.
local function advance()
  local read = ${time}
  local raw = tonumber(read[1]) * 1000000 + tonumber(read[2])
  local before, last = tonumber(meta[2]) or raw, tonumber(meta[3]) or raw
  local now = math.floor(math.max(raw, last + math.max(0, raw - before) / 2))
  redis.call('HSET', META, 'raw', int(raw), 'time', int(now))
  return math.floor(now / 1000)
end

local DAY = 86400000
local lengths = { second = 1000, minute = 60000, hour = 3600000, day = DAY, monday = 7 * DAY, sunday = 7 * DAY }
local firsts = { monday = 4 * DAY, sunday = 3 * DAY }

-- Which day of its month a day since the epoch is, from 0: http://howardhinnant.github.io/date_algorithms.html#civil_from_days
local function dayOfMonth(day)
  local z = day + 719468
  local inEra = z % 146097
  local year = math.floor((inEra - math.floor(inEra / 1460) + math.floor(inEra / 36524) - math.floor(inEra / 146096)) / 365)
  local inYear = inEra - (365 * year + math.floor(year / 4) - math.floor(year / 100))
  local month = math.floor((5 * inYear + 2) / 153)
  return inYear - math.floor((153 * month + 2) / 5)
end

-- The window of a moment: its start and its end, which is nil if there is none.
local function windowOf(every, days, from, at)
  if every == 'never' then return 0, nil end
  if every == 'month' then
    local day = math.floor(at / DAY)
    local first = day - dayOfMonth(day)
    -- From day 29 to 32 of a month that is as long as 31 days or shorter, it is so many days into the next one.
    return first * DAY, (first + 31 - dayOfMonth(first + 31)) * DAY
  end
  local length = every == 'days' and tonumber(days) * DAY or lengths[every]
  local first = every == 'days' and tonumber(from) or firsts[every] or 0
  local start = first + math.floor((at - first) / length) * length
  return start, start + length
end

local function counterKey(policy, start) return P .. 'c:' .. policy .. ':' .. start end

-- The bucket that a charge is counted in, and what it has: its own bucket, as long as there is a place for it.
local function look(key, bucket)
  local found = redis.call('HMGET', key, 'u:' .. bucket, 'r:' .. bucket)
  if not found[1] and bucket ~= '${sharedBucket}' and redis.call('HLEN', key) >= ${2 * mostBuckets} then
    bucket = '${sharedBucket}'
    found = redis.call('HMGET', key, 'u:' .. bucket, 'r:' .. bucket)
  end
  return bucket, tonumber(found[1]) or 0, tonumber(found[2]) or 0, found[1]
end

-- Lets a counter live longer than its window.
local function keep(key, finish, now)
  local ttl = redis.call('PTTL', key)
  if finish == '' then
    if ttl >= 0 then redis.call('PERSIST', key) end
  elseif ttl < tonumber(finish) - now then
    redis.call('PEXPIRE', key, int(tonumber(finish) - now + ${keptMs}))
  end
end

-- The charges of arguments, eight each, in the windows of now.
local function readCharges(first, now)
  local charges = {}
  for at = first, #ARGV, 8 do
    local start, finish = windowOf(ARGV[at + 5], ARGV[at + 6], ARGV[at + 7], now)
    charges[#charges + 1] = {
      policy = ARGV[at], bucket = ARGV[at + 1], unit = ARGV[at + 2], amount = ARGV[at + 3], limit = ARGV[at + 4],
      start = int(start), finish = finish and int(finish) or '',
    }
  end
  return charges
end

local function giveBack(charges)
  for _, charge in ipairs(charges) do
    local key = counterKey(charge.policy, charge.start)
    local field = 'r:' .. charge.bucket
    local reserved = tonumber(redis.call('HGET', key, field))
    if reserved then redis.call('HSET', key, field, int(math.max(0, reserved - tonumber(charge.amount)))) end
  end
end

-- Adds to a counter as long as its window lasts, and never takes one that was reset below 0. What was added.
local function add(charge, amount, now)
  if charge.finish ~= '' and tonumber(charge.finish) <= now then return amount end
  local key = counterKey(charge.policy, charge.start)
  local bucket, used, reserved, isThere = look(key, charge.bucket)
  charge.bucket = bucket
  local added = math.max(amount, -used)
  redis.call('HSET', key, 'u:' .. bucket, int(used + added))
  if not isThere then
    redis.call('HSETNX', key, 'r:' .. bucket, '0')
    keep(key, charge.finish, now)
  end
  return added
end

-- Charges amounts and puts them on the way to the ledger, in one step.
local function post(id, corrects, entry, charges, amounts, now)
  local posted = {}
  for index, charge in ipairs(charges) do
    local added = add(charge, amounts[index] or 0, now)
    posted[index] = { charge.policy, charge.bucket, charge.unit, int(added), charge.start }
  end
  if redis.call('XLEN', POSTINGS) >= ${mostPostings} then
    redis.call('HINCRBY', META, 'lost', 1)
    return
  end
  local text = #posted == 0 and '[]' or cjson.encode(posted)
  redis.call('XADD', POSTINGS, '*', 'id', id, 'corrects', corrects, 'entry', entry, 'charges', text)
end

local function load(id)
  local text = redis.call('GET', P .. 'r:' .. id)
  return text and cjson.decode(text) or nil
end

local function store(id, record, ms)
  if ms then redis.call('SET', P .. 'r:' .. id, cjson.encode(record), 'PX', ms)
  else redis.call('SET', P .. 'r:' .. id, cjson.encode(record)) end
end

local function drop(id)
  redis.call('DEL', P .. 'r:' .. id)
  redis.call('ZREM', DUE, id)
end

-- Charges what has expired as it was reserved, and remembers it for as long as it can be corrected.
local function sweep(now)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', DUE, '-inf', int(now), 'LIMIT', 0, ${mostExpired})) do
    local record = load(id)
    redis.call('ZREM', DUE, id)
    if record and record.state == 'h' then
      local amounts = {}
      for index, charge in ipairs(record.charges) do amounts[index] = tonumber(charge.amount) end
      giveBack(record.charges)
      post(id, '', record.entry, record.charges, amounts, now)
      record.state, record.expired, record.answer = 'e', int(now), nil
      store(id, record, ${correctableMs})
    end
  end
end

local RELEASED_MS, CORRECTABLE_MS = ${releasedMs}, ${correctableMs}
`;
