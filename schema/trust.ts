/**
 * Whose text is compiled. An operator's file may refer to secrets. A caller's header brings them, and is told of no name that
 * is saved. What a tenant has saved brings them too, and is told of that tenant's names.
 */
export type Trust = 'operator' | 'caller' | 'saved';
