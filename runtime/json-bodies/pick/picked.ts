import type { MemberSelection } from '../../../plugins/sdk/dialect/member-selection.ts';

/** The result of a value: all of it, or some members of the object, or of the objects of the list, that it is. */
export type Picked =
  | { readonly kind: 'all' }
  | { readonly kind: 'members' | 'list'; readonly members: readonly PickedMember[] };

export interface PickedMember {
  readonly name: string;
  /** The name in UTF-8. */
  readonly bytes: Uint8Array;
  readonly picked: Picked;
}

const isList = <Value extends object>(value: Value | readonly [Value]): value is readonly [Value] =>
  Array.isArray(value);

const toPicked = (value: MemberSelection[string]): Picked => {
  if (value === true) return { kind: 'all' };
  return isList(value)
    ? { kind: 'list', members: readPickedMembers(value[0]) }
    : { kind: 'members', members: readPickedMembers(value) };
};

/** A selection as it is looked up in bytes. */
export const readPickedMembers = (selection: MemberSelection): readonly PickedMember[] =>
  Object.entries(selection).map(([name, value]) => ({ name, bytes: Buffer.from(name), picked: toPicked(value) }));
