/**
 * Gives back what was reserved, also if the reservation arrives after this. Arguments: the id, and the epoch in which it was
 * granted, or nothing if that is not known. Answers `done` or `lost`.
 */
export const releaseLua = `
if not epoch then return { 'lost' } end
local now = advance()
local id = ARGV[1]
local record = load(id)
if record and record.state == 'h' then
  drop(id)
  giveBack(record.charges)
  record = nil
end
if not record and ARGV[2] ~= epoch then store(id, { state = 'x' }, RELEASED_MS) end
sweep(now)
return { 'done' }
`;
