/** Charges what was used without a reservation, once for each id: `["charge", id, …charges]` with the entry. */
export const chargeLua = `
local function charge(id, charges, entry, now)
  if load(id) then return end
  local amounts = {}
  for index, each in ipairs(charges) do amounts[index] = each.amount end
  store(id, { state = 's' }, REMEMBERED_MS)
  post(id, '', entry, charges, amounts, now)
end
`;
