import { correctionId } from '../../correction-id.ts';

/**
 * Replaces what was reserved, or corrects what has expired: `["settle", id, the epoch in which it was granted or nothing if that
 * is not known, …charges]` with the entry.
 */
export const settleLua: string = `
local function settle(id, grantedIn, actual, entry, now)
  local record = load(id)
  local amounts = {}
  for index, charge in ipairs(actual) do amounts[index] = charge.amount end
  if record and record.state == 'h' then
    drop(id)
    for _, charge in ipairs(record.charges) do giveBack(charge) end
    post(id, '', entry, record.charges, amounts, now)
  elseif record and record.state == 'e' then
    drop(id)
    for index, charge in ipairs(record.charges) do amounts[index] = (amounts[index] or 0) - charge.amount end
    if now < tonumber(record.note) + CORRECTABLE_MS then post(id .. '${correctionId('')}', id, entry, record.charges, amounts, now) end
  elseif grantedIn ~= epoch and not (record and record.state == 's') then
    -- Redis has granted nothing, or has lost what it granted: it is charged now, once.
    store(id, { state = 's' }, CORRECTABLE_MS)
    post(id, '', entry, actual, amounts, now)
  end
end
`;
