/** The state of counters. Arguments: charges. Answers `read` and four texts for each, or `lost`. */
export const readLua = `
if not epoch then return { 'lost' } end
local now = advance()
sweep(now)
local answer = { 'read' }
for _, charge in ipairs(readCharges(1, now)) do
  local bucket, used, reserved = look(counterKey(charge.policy, charge.start), charge.bucket)
  for _, text in ipairs({ bucket, int(used), int(reserved), charge.finish }) do answer[#answer + 1] = text end
end
return answer
`;

/** Sets what a counter has settled to 0. Arguments: one charge. Answers `reset` and what it had, or `lost`. */
export const resetLua = `
if not epoch then return { 'lost' } end
local now = advance()
sweep(now)
local charge = readCharges(1, now)[1]
local key = counterKey(charge.policy, charge.start)
local bucket, used, _, isThere = look(key, charge.bucket)
if isThere then redis.call('HSET', key, 'u:' .. bucket, '0') end
return { 'reset', int(used) }
`;
