/**
 * A selection of members of a JSON object, by name. `true` selects all of a member; otherwise, its value selects members of the
 * object, or of each object in the list, that the member is.
 */
export interface MemberSelection {
  readonly [member: string]: true | MemberSelection | readonly [MemberSelection];
}
