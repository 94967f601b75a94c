import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { Account, ProviderRequest } from './account.ts';

/**
 * Where a request for an address goes that a provider signed, which needs no credential. Throws the `GatewayError`
 * `unreadable-answer` for what is no address; `what` begins its reason.
 */
export const signedAddress = (
  { provider }: Pick<Account, 'provider'>,
  url: Json | undefined,
  what: string,
): Pick<ProviderRequest, 'path' | 'isStorage' | 'signedOrigin' | 'isCounted'> => {
  const parsed = URL.parse(findText(url) ?? '');
  if (parsed === null) throw gatewayError('unreadable-answer', { provider, reason: `${what} has no address.` });
  const { origin, pathname, search } = parsed;
  return { path: pathname + search, isStorage: true, signedOrigin: origin, isCounted: false };
};
