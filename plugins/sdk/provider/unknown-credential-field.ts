import { suggestName } from '../../../schema/text/closest-name.ts';
import type { Provider } from './provider.ts';
import { toCredentialFields } from './to-credential-fields.ts';

/** Returns an error message for a member of a saved credential that its provider does not read, or undefined if it does. */
export const unknownCredentialField = (
  provider: Provider,
  field: string,
): { readonly message: string; readonly hint: string } | undefined => {
  const known = toCredentialFields(provider);
  if (known.includes(field)) return undefined;
  const message = `The provider ${provider.id} has no credential "${field}".`;
  if (provider.settings?.includes(field)) return { message, hint: 'Move it to "settings".' };
  const all = known.length === 0 ? 'Leave it out: it takes none.' : `Use one of ${known.join(', ')}.`;
  return { message, hint: suggestName(field, known, all) };
};
