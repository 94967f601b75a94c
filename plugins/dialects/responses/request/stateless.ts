import type { Member } from '../../shared/json/member.ts';

/** Why a request that relies on a stored response cannot be translated, and what to do instead. */
export const notStored =
  'cannot be used: the provider does not store responses. Send the whole conversation in input, with store: false';

const isOn = ({ value }: Member): boolean => value === true;
const isPresent = ({ absent }: Member): boolean => !absent;

const stored = [
  ['previous_response_id', isPresent],
  ['conversation', isPresent],
  ['background', isOn],
] as const;

/** Throws the `GatewayError` `invalid-request` for a request that relies on something that a provider would have stored. */
export const rejectStoredState = (wire: Member): void => {
  for (const [name, relies] of stored) if (relies(wire.at(name))) wire.at(name).fail(notStored);
};
