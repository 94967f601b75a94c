/**
 * Gives back what was reserved, also if the reservation arrives after this: `["release", id, the epoch in which it was granted or
 * nothing if that is not known]`.
 */
export const releaseLua = `
local function release(id, grantedIn)
  local record = load(id)
  if record and record.state == 'h' then
    drop(id)
    for _, charge in ipairs(record.charges) do giveBack(charge) end
    record = nil
  end
  if not record and grantedIn ~= epoch then store(id, { state = 'x' }, RELEASED_MS) end
end
`;
