import { chargeLua } from './charge.ts';
import { releaseLua } from './release.ts';
import { reserveLua } from './reserve.ts';
import { settleLua } from './settle.ts';

/**
 * Makes decisions one after another, each as if it were the only one. Arguments: a JSON list of the counters and of the decisions,
 * whose charges are numbers of counters, from 0, and amounts; and the entries of those that have one, each with the end of its
 * line. Answers `decided`, the epoch and a line for each decision, which is `done` where nothing else is said; or `lost`, where
 * the counters are not complete.
 */
export const decideLua: string = `
${reserveLua}
${settleLua}
${releaseLua}
${chargeLua}
if not epoch then return { 'lost' } end
local now = advance()
local read = cjson.decode(ARGV[1])
local places, answers, entryAt = readPlaces(read[1], now), {}, 1

local function nextEntry()
  local stop = string.find(ARGV[2], '\\n', entryAt, true)
  local entry = string.sub(ARGV[2], entryAt, stop - 1)
  entryAt = stop + 1
  return entry
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
  reserve = function(sent) return reserve(sent[2], sent[3], chargesFrom(4, sent), nextEntry(), now) end,
  look = function(sent) return lookAt(chargesFrom(2, sent), now) end,
  settle = function(sent) settle(sent[2], sent[3], chargesFrom(4, sent), nextEntry(), now) end,
  charge = function(sent) charge(sent[2], chargesFrom(3, sent), nextEntry(), now) end,
  release = function(sent) release(sent[2], sent[3]) end,
}
for index, sent in ipairs(read[2]) do
  answers[index] = decisions[sent[1]](sent) or 'done'
  -- As after a decision that is the only one.
  sweep(now)
end
save()
return { 'decided', epoch, table.concat(answers, '\\n') }
`;
