import type { MemberSelection } from '../../../plugins/sdk/dialect/member-selection.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { JsonPicker } from './json-picker.ts';
import type { Picked, PickedMember } from './picked.ts';

const isList = <Value extends object>(value: Value | readonly [Value]): value is readonly [Value] =>
  Array.isArray(value);

const toPicked = (value: MemberSelection[string]): Picked => {
  if (value === true) return { kind: 'all' };
  return isList(value)
    ? { kind: 'list', members: readPickedMembers(value[0]) }
    : { kind: 'members', members: readPickedMembers(value) };
};

/** Returns a selection in the form that is compared with bytes. */
const readPickedMembers = (selection: MemberSelection): readonly PickedMember[] =>
  Object.entries(selection).map(([name, value]) => ({ name, bytes: Buffer.from(name), picked: toPicked(value) }));

const known = new WeakMap<MemberSelection, readonly PickedMember[]>();

const readMembers = (selection: MemberSelection): readonly PickedMember[] => {
  const found = known.get(selection) ?? readPickedMembers(selection);
  known.set(selection, found);
  return found;
};

/**
 * Returns the selected members of the JSON object in the bytes, as parsing the whole would return them. Undefined if the bytes
 * are not an object, or nest too deeply. A member that does not have the selected form, and the values of such a list that are
 * not objects, are omitted.
 */
export const pickMembers = (bytes: Uint8Array, selection: MemberSelection): JsonObject | undefined => {
  try {
    return new JsonPicker(bytes).object(readMembers(selection));
  } catch {
    return undefined;
  }
};
