import { correctableMs, maxBuckets, rememberedMs, sharedBucket } from '../limits.ts';

/**
 * The Lua expression from which scripts read the time: the reply of TIME, in seconds and microseconds. Only tests use another.
 */
export const redisTime = "redis.call('TIME')";

/** The maximum number of postings that wait in the stream. Further ones are lost, and counted. */
const maxPostings = 500_000;

/** How many reservations expire in one decision, so that no decision takes long. */
const maxExpired = 100;

/**
 * The maximum time between two scripts while the time of the counters is ahead, in microseconds. A larger step means that the
 * clock was corrected. Redis has no monotonic clock, but each process runs a script four times a second.
 */
const maxPassed = 1_000_000;

/** How long counters are kept after their window, in milliseconds. */
const retentionMs = 60_000;

/** How long an id is remembered whose reservation may still arrive after it was released, in milliseconds. */
const releasedMs = 10 * 60_000;

/**
 * Creates the beginning of all scripts. KEYS[1] is the prefix of all keys. It has one hash tag, so that a cluster has them in one
 * slot:
 *
 * - `meta`: `epoch`, which exists if the counters are complete; `raw` and `time`, the last time of Redis and of the counters
 *   in microseconds; `lost`, how many postings found no room
 * - `c:<policy>:<start>`: the counters of a policy in a window, `u:<bucket>` settled and `r:<bucket>` reserved
 * - `r:<id>`: a reservation that is held ("h"), expired ("e"), released before it arrived ("x"), or charged without one ("s"). A
 *   held one stays until it expires, even if no process runs for a long time. Its lines are: the state; the answer, or when it
 *   expired; its charges as JSON; what the ledger receives if it expires
 * - `due`: ids of held reservations, by when they expire
 * - `postings`: the stream of what the ledger receives, as JSON: `["<id>","<what it corrects>",["<policy>",…],…,<entry>]`
 *
 * A script writes each counter that it changes once, at its end: every script that decides or expires reservations does so in
 * `saving`. Redis does not undo what a script has written before one of its commands fails, such as one that its user may no longer
 * run. So each change of a reservation is made by a single write, its key, which `made` follows. What precedes it can be repeated,
 * and the counters are written even if a later command fails. Amounts are texts of digits wherever Lua would round them: its
 * numbers are exact up to 2 ^ 53, but its conversions of them to text are not.
 */
export const prelude = (time: string): string => `
local P = KEYS[1]
local META, DUE, POSTINGS = P .. 'meta', P .. 'due', P .. 'postings'
local meta = redis.call('HMGET', META, 'epoch', 'raw', 'time')
local epoch = meta[1]

local function int(number) return string.format('%d', number) end

-- Returns milliseconds since the epoch. If the time of Redis is set back, this time runs at half the speed until that of Redis has
-- caught up. It does not follow a step that corrects the time of Redis.
local function advance()
  local read = ${time}
  local raw = tonumber(read[1]) * 1000000 + tonumber(read[2])
  local before, last = tonumber(meta[2]) or raw, tonumber(meta[3]) or raw
  local now = math.floor(math.max(raw, last + math.max(0, math.min(raw - before, ${maxPassed})) / 2))
  redis.call('HSET', META, 'raw', int(raw), 'time', int(now))
  return math.floor(now / 1000)
end

local DAY = 86400000
local lengths = { second = 1000, minute = 60000, hour = 3600000, day = DAY, monday = 7 * DAY, sunday = 7 * DAY }
local firsts = { monday = 4 * DAY, sunday = 3 * DAY }

-- Converts a day since the epoch to the day of its month, from 0: http://howardhinnant.github.io/date_algorithms.html#civil_from_days
local function dayOfMonth(day)
  local z = day + 719468
  local inEra = z % 146097
  local year = math.floor((inEra - math.floor(inEra / 1460) + math.floor(inEra / 36524) - math.floor(inEra / 146096)) / 365)
  local inYear = inEra - (365 * year + math.floor(year / 4) - math.floor(year / 100))
  local month = math.floor((5 * inYear + 2) / 153)
  return inYear - math.floor((153 * month + 2) / 5)
end

-- Returns the start and the end of the window that contains a moment. The end is nil if the window never ends.
local function windowOf(every, days, from, at)
  if every == 'never' then return 0, nil end
  if every == 'month' then
    local day = math.floor(at / DAY)
    local first = day - dayOfMonth(day)
    -- A month has at most 31 days, so 31 days after its first day is day 0 to 3 of the next month.
    return first * DAY, (first + 31 - dayOfMonth(first + 31)) * DAY
  end
  local length = every == 'days' and tonumber(days) * DAY or lengths[every]
  local first = every == 'days' and tonumber(from) or firsts[every] or 0
  local start = first + math.floor((at - first) / length) * length
  return start, start + length
end

-- Returns the current window as texts. The end is empty if the window never ends.
local windows = {}
local function windowTexts(every, days, from, now)
  local known = windows[every]
  if known then return known[1], known[2] end
  local start, finish = windowOf(every, days, from, now)
  local startText, finishText = int(start), finish and int(finish) or ''
  if every ~= 'days' then windows[every] = { startText, finishText } end
  return startText, finishText
end

-- The keys of counters. Each is joined once, because Lua hashes all bytes of each text that it creates.
local keys = {}
local function counterKey(policy, start)
  local ofPolicy = keys[policy]
  if not ofPolicy then
    ofPolicy = {}
    keys[policy] = ofPolicy
  end
  local key = ofPolicy[start] or P .. 'c:' .. policy .. ':' .. start
  ofPolicy[start] = key
  return key
end

-- The existing counters that this script has read, by key and bucket; and those that it has changed.
local seen, changed = {}, {}

-- Returns the counter of a bucket, which may not exist.
local function counterAt(key, bucket)
  local ofKey = seen[key]
  if not ofKey then
    ofKey = {}
    seen[key] = ofKey
  end
  local known = ofKey[bucket]
  if known then return known end
  local found = redis.call('HMGET', key, 'u:' .. bucket, 'r:' .. bucket)
  local counter = {
    key = key, bucket = bucket, used = tonumber(found[1]) or 0, reserved = tonumber(found[2]) or 0,
    isThere = found[1] and true or false,
  }
  if counter.isThere then ofKey[bucket] = counter end
  return counter
end

-- Returns the counter of a charge: that of its own bucket if there is room for it, and the shared one otherwise.
local function look(key, bucket)
  local counter = counterAt(key, bucket)
  if not counter.isThere and bucket ~= '${sharedBucket}' and redis.call('HLEN', key) >= ${2 * maxBuckets} then
    return counterAt(key, '${sharedBucket}')
  end
  return counter
end

-- What has been changed since the last call of made: counters with what they were, and the id of a posting.
local undo, undone, unmade = {}, 0, nil
local function made() undone, unmade = 0, nil end

local function change(counter, used, reserved)
  if not counter.isThere then
    -- It is created immediately, so that another one cannot take its room.
    redis.call('HSET', counter.key, 'u:' .. counter.bucket, '0', 'r:' .. counter.bucket, '0')
    counter.isThere = true
    seen[counter.key][counter.bucket] = counter
  end
  undo[undone + 1], undo[undone + 2], undo[undone + 3] = counter, counter.used, counter.reserved
  undone = undone + 3
  counter.used, counter.reserved = used, reserved
  if counter.isChanged then return end
  counter.isChanged = true
  changed[#changed + 1] = counter
end

-- Runs a function, and writes the counters that it has changed. If it fails, this fails too, and everything is as if the function
-- had ended after the last call of made. Every script has run HSET before, in advance.
local function saving(run)
  local isDone, result = pcall(run)
  if not isDone then
    for at = undone - 2, 1, -3 do undo[at].used, undo[at].reserved = undo[at + 1], undo[at + 2] end
    if unmade then redis.pcall('XDEL', POSTINGS, unmade) end
  end
  for _, each in ipairs(changed) do
    redis.call('HSET', each.key, 'u:' .. each.bucket, int(each.used), 'r:' .. each.bucket, int(each.reserved))
  end
  if not isDone then error(result, 0) end
  return result
end

-- Sets the expiry of a counter, which is later than the end of its window.
local kept = {}
local function keep(key, finish, now)
  if kept[key] == finish then return end
  kept[key] = finish
  local ttl = redis.call('PTTL', key)
  if finish == '' then
    if ttl >= 0 then redis.call('PERSIST', key) end
  elseif ttl < tonumber(finish) - now then
    redis.call('PEXPIRE', key, int(tonumber(finish) - now + ${retentionMs}))
  end
end

-- Converts counters from the form in which processes send them, and adds their current windows.
local function readPlaces(sent, now)
  local places = {}
  for index, each in ipairs(sent) do
    local start, finish = windowTexts(each[5], each[6], each[7], now)
    places[index] = {
      policy = each[1], bucket = each[2], unit = each[3], limit = each[4], start = start, finish = finish,
    }
  end
  return places
end

-- Returns the state of a counter as four words. "${sharedBucket}" marks the shared one, and "-" one that never resets.
local function stateOf(charge, counter)
  local finish = charge.finish == '' and '-' or charge.finish
  return int(counter.used) .. ' ' .. int(counter.reserved) .. ' ' .. finish .. ' ' .. (counter.bucket == '${sharedBucket}' and '${sharedBucket}' or '=')
end

local function giveBack(charge)
  local counter = counterAt(counterKey(charge.policy, charge.start), charge.bucket)
  if counter.isThere then change(counter, counter.used, math.max(0, counter.reserved - charge.amount)) end
end

-- Adds an amount to a counter until its window ends, and returns what was added. A counter that was reset never becomes negative.
local function add(charge, amount, now)
  if charge.finish ~= '' and tonumber(charge.finish) <= now then return amount end
  local key = counterKey(charge.policy, charge.start)
  local counter = look(key, charge.bucket)
  charge.bucket = counter.bucket
  local isNew = not counter.isThere
  local added = math.max(amount, -counter.used)
  change(counter, counter.used + added, counter.reserved)
  if isNew then keep(key, charge.finish, now) end
  return added
end

local function quoted(text)
  if not string.find(text, '[%c"\\\\]') then return '"' .. text .. '"' end
  return string.sub(cjson.encode({ text }), 2, -2)
end

-- The beginning of the JSON of a charge, up to its amount. It is the same for all charges to one counter.
local heads = {}
local function headOf(charge)
  local ofPolicy = heads[charge.policy]
  if not ofPolicy then
    ofPolicy = {}
    heads[charge.policy] = ofPolicy
  end
  local head = ofPolicy[charge.bucket]
  if not head or head.unit ~= charge.unit then
    local texts = { quoted(charge.policy), quoted(charge.bucket), quoted(charge.unit) }
    head = { unit = charge.unit, text = '[' .. table.concat(texts, ',') .. ',"' }
    ofPolicy[charge.bucket] = head
  end
  return head.text
end

-- Charges amounts and queues them for the ledger, in one step. An entry is the two parts of a text, which are joined only with
-- the rest, because Lua hashes all bytes of each text that it creates.
local waiting
local function post(id, corrects, entry, charges, amounts, now)
  local posted = {}
  for index, charge in ipairs(charges) do
    local added = int(add(charge, amounts[index] or 0, now))
    posted[index] = headOf(charge) .. added .. '","' .. charge.start .. '"],'
  end
  waiting = waiting or redis.call('XLEN', POSTINGS)
  if waiting >= ${maxPostings} then
    redis.call('HINCRBY', META, 'lost', 1)
    return
  end
  waiting = waiting + 1
  local ids, ofCharges = '[' .. quoted(id) .. ',' .. quoted(corrects) .. ',', table.concat(posted)
  unmade = redis.call('XADD', POSTINGS, '*', 'posting', ids .. ofCharges .. entry.own .. entry.shared .. ']')
end

local function store(id, record, ms)
  local charges = {}
  for index, each in ipairs(record.charges or {}) do
    charges[index] = headOf(each) .. int(each.amount) .. '","' .. each.start .. '","' .. each.finish .. '"]'
  end
  local listed, entry = table.concat(charges, ','), record.entry or { own = '', shared = '' }
  local text = record.state .. '\\n' .. (record.note or '') .. '\\n[' .. listed .. ']\\n' .. entry.own .. entry.shared
  if ms then redis.call('SET', P .. 'r:' .. id, text, 'PX', ms)
  else redis.call('SET', P .. 'r:' .. id, text) end
  made()
end

local function load(id)
  local text = redis.call('GET', P .. 'r:' .. id)
  if not text then return nil end
  local state, note, sent, entryAt = string.match(text, '^(%a)\\n([^\\n]*)\\n([^\\n]*)\\n()')
  local charges = {}
  for index, each in ipairs(cjson.decode(sent)) do
    charges[index] = {
      policy = each[1], bucket = each[2], unit = each[3], amount = tonumber(each[4]), start = each[5], finish = each[6],
    }
  end
  return { state = state, note = note, charges = charges, text = text, entryAt = entryAt }
end

local function drop(id)
  redis.call('DEL', P .. 'r:' .. id)
  made()
  redis.call('ZREM', DUE, id)
end

-- Charges expired reservations as they were reserved, and remembers them for as long as they can be corrected.
local isSwept = false
local function sweep(now)
  if isSwept then return end
  isSwept = true
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', DUE, '-inf', int(now), 'LIMIT', 0, ${maxExpired})) do
    local record = load(id)
    if record and record.state == 'h' then
      local amounts = {}
      for index, charge in ipairs(record.charges) do
        amounts[index] = charge.amount
        giveBack(charge)
      end
      local entry = { own = string.sub(record.text, record.entryAt), shared = '' }
      post(id, '', entry, record.charges, amounts, now)
      store(id, { state = 'e', note = int(now), charges = record.charges }, ${correctableMs})
    end
    redis.call('ZREM', DUE, id)
  end
end

local RELEASED_MS, CORRECTABLE_MS, REMEMBERED_MS = ${releasedMs}, ${correctableMs}, ${rememberedMs}
`;
