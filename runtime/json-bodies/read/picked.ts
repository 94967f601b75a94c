/** The selected part of a value: all of it, or some members of the object, or of the objects in the list, that it is. */
export type Picked =
  | { readonly kind: 'all' }
  | { readonly kind: 'members' | 'list'; readonly members: readonly PickedMember[] };

export interface PickedMember {
  readonly name: string;
  /** The name in UTF-8. */
  readonly bytes: Uint8Array;
  readonly picked: Picked;
}
