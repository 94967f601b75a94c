/**
 * Reserves all charges or none, as `["reserve", id, milliseconds until it expires, …charges]` with the entry, or looks whether
 * they would be, as `["look", …charges]`. Answers `granted` and four words for each charge; `refused`, the index of the charge and four
 * words; or `over`, where the id has been used.
 */
export const reserveLua = `
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
  store(id, { state = 'h', note = answer, charges = charges, entry = entry })
  redis.call('ZADD', DUE, int(now + ttl), id)
  return answer
end
`;
