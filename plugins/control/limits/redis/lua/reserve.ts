/**
 * Reserves all charges or none. Arguments: the id, milliseconds until it expires, the entry, then the charges. Answers
 * `granted`, the epoch and four texts for each charge; `refused`, the index of the charge and four texts; `lost`, where the
 * counters are not complete; or `over`, where the id has been used.
 */
export const reserveLua = `
if not epoch then return { 'lost' } end
local now = advance()
sweep(now)
local id = ARGV[1]
local known = load(id)
if known then return known.state == 'h' and known.answer or { 'over' } end

local charges = readCharges(4, now)

local function state(charge, used, reserved)
  return { charge.bucket, int(used), int(reserved), charge.finish }
end

for index, charge in ipairs(charges) do
  local key = counterKey(charge.policy, charge.start)
  local bucket, used, reserved = look(key, charge.bucket)
  charge.bucket = bucket
  local total, amount, limit = used + reserved, tonumber(charge.amount), tonumber(charge.limit)
  local fits
  if charge.unit == 'requests' then fits = total + amount <= limit else fits = total < limit end
  if limit <= 0 or not fits then
    for before = 1, index - 1 do giveBack({ charges[before] }) end
    local _, usedNow, reservedNow = look(key, bucket)
    local answer = { 'refused', tostring(index - 1) }
    for _, text in ipairs(state(charge, usedNow, reservedNow)) do answer[#answer + 1] = text end
    return answer
  end
  redis.call('HSET', key, 'u:' .. bucket, int(used), 'r:' .. bucket, int(reserved + amount))
  keep(key, charge.finish, now)
end

local answer = { 'granted', epoch }
for _, charge in ipairs(charges) do
  local _, used, reserved = look(counterKey(charge.policy, charge.start), charge.bucket)
  for _, text in ipairs(state(charge, used, reserved)) do answer[#answer + 1] = text end
end
store(id, { state = 'h', entry = ARGV[3], charges = charges, answer = answer })
redis.call('ZADD', DUE, int(now + tonumber(ARGV[2])), id)
return answer
`;
