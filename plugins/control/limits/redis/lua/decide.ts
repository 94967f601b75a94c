import { chargeLua } from './charge.ts';
import { releaseLua } from './release.ts';
import { reserveLua } from './reserve.ts';
import { settleLua } from './settle.ts';

/**
 * Makes decisions one after another, each as if it were the only one. Arguments: the decisions as a JSON list, then the entries
 * of those that have one. Answers `decided`, the epoch and a text for each decision, which is `done` where nothing else is said;
 * or `lost`, where the counters are not complete.
 */
export const decideLua: string = `
${reserveLua}
${settleLua}
${releaseLua}
${chargeLua}
if not epoch then return { 'lost' } end
local now = advance()
local answer, entryAt = { 'decided', epoch }, 1

local function nextEntry()
  entryAt = entryAt + 1
  return ARGV[entryAt]
end

local decisions = {
  reserve = function(sent) return reserve(sent[2], sent[3], sent[4], nextEntry(), now) end,
  look = function(sent) return lookAt(sent[2], now) end,
  settle = function(sent) settle(sent[2], sent[3], sent[4], sent[5], nextEntry(), now) end,
  charge = function(sent) charge(sent[2], sent[3], nextEntry(), now) end,
  release = function(sent) release(sent[2], sent[3]) end,
}
for _, sent in ipairs(cjson.decode(ARGV[1])) do
  answer[#answer + 1] = decisions[sent[1]](sent) or 'done'
  -- As after a decision that is the only one.
  sweep(now)
end
save()
return answer
`;
