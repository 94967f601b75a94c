/**
 * The owner of the compiled text. An operator's file may refer to secrets. A caller's header brings them, and sees
 * no name that is saved. What a tenant has saved brings them too, and sees that tenant's names.
 */
export type Trust = 'operator' | 'caller' | 'saved';

/**
 * In which text a literal secret stands, and so whose it is: that of the operator's file, of whoever saved the text, or of
 * the caller. Only what is the caller's own may be sent where the caller says.
 */
export type TextOrigin = 'file' | 'saved' | 'caller';

/** The origin of the literals in a text that is compiled with this trust. */
export const originOfTrust: Readonly<Record<Trust, TextOrigin>> = {
  operator: 'file',
  saved: 'saved',
  caller: 'caller',
};
