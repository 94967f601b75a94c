/**
 * The owner of the compiled text. An operator's file may refer to secrets. A caller's header contains its secrets, and cannot use
 * saved names. A text that a tenant has saved contains its secrets too, and can use that tenant's names.
 */
export type Trust = 'operator' | 'caller' | 'saved';

/**
 * The text that contains a literal secret, which determines its owner: the operator's file, a saved text, or the caller's own
 * text. Only the caller's own secrets may be sent to a host that the caller chooses.
 */
export type SecretOwner = 'file' | 'saved' | 'caller';

/** Returns the origin of the literals in a text that is compiled with this trust. */
export const originOfTrust: Readonly<Record<Trust, SecretOwner>> = {
  operator: 'file',
  saved: 'saved',
  caller: 'caller',
};
