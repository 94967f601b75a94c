/**
 * Replaces what was reserved, or corrects what has expired. Arguments: the id, the id of a correction, the epoch in which it was
 * granted or nothing if that is not known, the entry, then the charges. Answers `done` or `lost`.
 */
export const settleLua = `
if not epoch then return { 'lost' } end
local now = advance()
local id, granted, entry = ARGV[1], ARGV[3], ARGV[4]
local record = load(id)
local actual = readCharges(5, now)
local amounts = {}
for index, charge in ipairs(actual) do amounts[index] = tonumber(charge.amount) end

if record and record.state == 'h' then
  drop(id)
  giveBack(record.charges)
  post(id, '', entry, record.charges, amounts, now)
elseif record and record.state == 'e' then
  drop(id)
  for index, charge in ipairs(record.charges) do amounts[index] = (amounts[index] or 0) - tonumber(charge.amount) end
  if now < tonumber(record.expired) + CORRECTABLE_MS then post(ARGV[2], id, entry, record.charges, amounts, now) end
elseif granted ~= epoch and not (record and record.state == 's') then
  -- Redis has granted nothing, or has lost what it granted: it is charged now, once.
  store(id, { state = 's' }, CORRECTABLE_MS)
  post(id, '', entry, actual, amounts, now)
end
sweep(now)
return { 'done' }
`;
