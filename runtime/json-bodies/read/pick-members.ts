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

/** A selection as it is looked up in bytes. */
const readPickedMembers = (selection: MemberSelection): readonly PickedMember[] =>
  Object.entries(selection).map(([name, value]) => ({ name, bytes: Buffer.from(name), picked: toPicked(value) }));

const known = new WeakMap<MemberSelection, readonly PickedMember[]>();

const readMembers = (selection: MemberSelection): readonly PickedMember[] => {
  const found = known.get(selection) ?? readPickedMembers(selection);
  known.set(selection, found);
  return found;
};

/**
 * The selected members of the JSON object that the bytes are, as parsing the whole gives them; undefined if they are none,
 * or nest too deeply. A member that is not of the selected form, and the values of such a list that are no objects, are
 * left out.
 */
export const pickMembers = (bytes: Uint8Array, selection: MemberSelection): JsonObject | undefined => {
  try {
    return new JsonPicker(bytes).object(readMembers(selection));
  } catch {
    return undefined;
  }
};
