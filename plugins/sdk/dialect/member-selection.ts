/**
 * Some of the members of a JSON object, by name: `true` for all of a member, else some of those of the object, or of each
 * object of the list, that it is.
 */
export interface MemberSelection {
  readonly [member: string]: true | MemberSelection | readonly [MemberSelection];
}
