/** The state of counters. Argument: counters as a JSON list. Answers `read` and a text of four words for each, or `lost`. */
export const readLua = `
if not epoch then return { 'lost' } end
local now = advance()
sweep(now)
local answer = { 'read' }
for _, charge in ipairs(readPlaces(cjson.decode(ARGV[1]), now)) do
  answer[#answer + 1] = stateOf(charge, look(counterKey(charge.policy, charge.start), charge.bucket))
end
save()
return answer
`;

/** Sets what a counter has settled to 0. Argument: a JSON list of one. Answers `reset` and what it had, or `lost`. */
export const resetLua = `
if not epoch then return { 'lost' } end
local now = advance()
sweep(now)
local charge = readPlaces(cjson.decode(ARGV[1]), now)[1]
local counter = look(counterKey(charge.policy, charge.start), charge.bucket)
local used = counter.used
if counter.isThere then change(counter, 0, counter.reserved) end
save()
return { 'reset', int(used) }
`;
