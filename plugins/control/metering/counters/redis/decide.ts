import { correctionId } from '../limits.ts';

/** The Lua functions that each make one kind of decision. */
const decisions = {
  /**
   * Reserves all charges or none, as `["reserve", id, milliseconds until it expires, …charges]` with the entry, or checks whether
   * they would be reserved, as `["look", …charges]`. Returns `granted` and four words for each charge; `refused`, the index of
   * the charge and four words; or `over`, if the id has been used.
   */
  reserve: `
local function admits(charge, counter)
  local total = counter.used + counter.reserved
  if charge.limit <= 0 then return false end
  if charge.unit == 'requests' then return total + charge.amount <= charge.limit end
  return total < charge.limit
end

local function granted(charges)
  local words = { 'granted' }
  for index, charge in ipairs(charges) do
    words[index + 1] = stateOf(charge, look(counterKey(charge.policy, charge.start), charge.bucket))
  end
  return table.concat(words, ' ')
end

local function refused(index, charge, counter)
  return 'refused ' .. (index - 1) .. ' ' .. stateOf(charge, counter)
end

local function lookAt(charges, now)
  sweep(now)
  for index, charge in ipairs(charges) do
    local counter = look(counterKey(charge.policy, charge.start), charge.bucket)
    if not admits(charge, counter) then return refused(index, charge, counter) end
  end
  return granted(charges)
end

local function reserve(id, ttl, charges, entry, now)
  sweep(now)
  local known = load(id)
  if known then return known.state == 'h' and known.note or 'over' end
  for index, charge in ipairs(charges) do
    local key = counterKey(charge.policy, charge.start)
    local counter = look(key, charge.bucket)
    charge.bucket = counter.bucket
    if not admits(charge, counter) then
      for before = 1, index - 1 do giveBack(charges[before]) end
      return refused(index, charge, counter)
    end
    change(counter, counter.used, counter.reserved + charge.amount)
    keep(key, charge.finish, now)
  end
  local answer = granted(charges)
  redis.call('ZADD', DUE, int(now + ttl), id)
  store(id, { state = 'h', note = answer, charges = charges, entry = entry })
  return answer
end
`,

  /**
   * Replaces what was reserved, or corrects what has expired: `["settle", id, the epoch in which it was granted or nothing if
   * that is not known, …charges]` with the entry.
   */
  settle: `
-- Ends a reservation. If a repeat would not know that it was granted, the repeat finds that it was charged.
local function conclude(id, grantedIn)
  if grantedIn == epoch then return drop(id) end
  store(id, { state = 's' }, CORRECTABLE_MS)
  redis.call('ZREM', DUE, id)
end

local function settle(id, grantedIn, actual, entry, now)
  local record = load(id)
  local amounts = {}
  for index, charge in ipairs(actual) do amounts[index] = charge.amount end
  if record and record.state == 'h' then
    for _, charge in ipairs(record.charges) do giveBack(charge) end
    post(id, '', entry, record.charges, amounts, now)
    conclude(id, grantedIn)
  elseif record and record.state == 'e' then
    for index, charge in ipairs(record.charges) do amounts[index] = (amounts[index] or 0) - charge.amount end
    if now < tonumber(record.note) + CORRECTABLE_MS then post(id .. '${correctionId('')}', id, entry, record.charges, amounts, now) end
    conclude(id, grantedIn)
  elseif grantedIn ~= epoch and not (record and record.state == 's') then
    -- Redis has granted nothing, or has lost what it granted: it is charged now, once.
    post(id, '', entry, actual, amounts, now)
    store(id, { state = 's' }, CORRECTABLE_MS)
  end
end
`,

  /**
   * Returns what was reserved, even if the reservation arrives after this: `["release", id, the epoch in which it was granted or
   * nothing if that is not known]`.
   */
  release: `
local function release(id, grantedIn)
  local record = load(id)
  if record and record.state == 'h' then
    for _, charge in ipairs(record.charges) do giveBack(charge) end
    drop(id)
    record = nil
  end
  if not record and grantedIn ~= epoch then store(id, { state = 'x' }, RELEASED_MS) end
end
`,

  /** Charges usage without a reservation, once for each id: `["charge", id, …charges]` with the entry. */
  charge: `
local function charge(id, charges, entry, now)
  if load(id) then return end
  local amounts = {}
  for index, each in ipairs(charges) do amounts[index] = each.amount end
  post(id, '', entry, charges, amounts, now)
  store(id, { state = 's' }, REMEMBERED_MS)
end
`,
};

/**
 * Makes decisions one after another, each as if it were the only one. Arguments: a JSON list of the counters and of the
 * decisions, whose charges are zero-based numbers of counters, and amounts; the entries of the decisions that have one, one per
 * line, each without its end; and these ends, one per line, to which the decisions refer by their zero-based numbers. Returns
 * `decided`, the epoch and a line for each decision, which is `done` unless specified otherwise; or `lost`, if the counters are
 * not complete.
 */
export const decideLua: string = `
${decisions.reserve}
${decisions.settle}
${decisions.release}
${decisions.charge}
if not epoch then return { 'lost' } end
local now = advance()
local sentPlaces, sentDecisions = unpack(cjson.decode(ARGV[1]))
local places, ends, answers, entryAt = readPlaces(sentPlaces, now), {}, {}, 1
for line in string.gmatch(ARGV[3], '([^\\n]*)\\n') do ends[#ends + 1] = line end

local function nextEntry(number)
  local stop = string.find(ARGV[2], '\\n', entryAt, true)
  local own = string.sub(ARGV[2], entryAt, stop - 1)
  entryAt = stop + 1
  return { own = own, shared = ends[number + 1] }
end

local function chargesFrom(first, sent)
  local charges = {}
  for at = first, #sent, 2 do
    local place = places[sent[at] + 1]
    charges[#charges + 1] = {
      policy = place.policy, bucket = place.bucket, unit = place.unit, amount = sent[at + 1], limit = place.limit,
      start = place.start, finish = place.finish,
    }
  end
  return charges
end

local decisions = {
  reserve = function(sent) return reserve(sent[2], sent[3], chargesFrom(5, sent), nextEntry(sent[4]), now) end,
  look = function(sent) return lookAt(chargesFrom(2, sent), now) end,
  settle = function(sent) settle(sent[2], sent[3], chargesFrom(5, sent), nextEntry(sent[4]), now) end,
  charge = function(sent) charge(sent[2], chargesFrom(4, sent), nextEntry(sent[3]), now) end,
  release = function(sent) release(sent[2], sent[3]) end,
}
saving(function()
  for index, sent in ipairs(sentDecisions) do
    answers[index] = decisions[sent[1]](sent) or 'done'
    made()
    -- As after a decision that is the only one.
    sweep(now)
  end
end)
return { 'decided', epoch, table.concat(answers, '\\n') }
`;
