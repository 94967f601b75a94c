/** Whose text is compiled: an operator's file may refer to secrets, a caller's header brings them. */
export type Trust = 'operator' | 'caller';
