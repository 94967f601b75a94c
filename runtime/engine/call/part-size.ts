import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';

/** The most requests that one request of a client becomes. Lists that OpenAI takes fit, where each text needs a request. */
const maxParts = 2048;

/**
 * The texts that a provider takes in one request; undefined for any number. Throws the `GatewayError` `too-many-texts` if it cannot
 * be sent so many of them for one request of a client.
 */
export const partSize = (
  { id: provider, maxTexts }: Pick<Provider, 'id' | 'maxTexts'>,
  { count, model }: { readonly count: number; readonly model: string | undefined },
): number | undefined => {
  const size = typeof maxTexts === 'function' ? maxTexts(model) : maxTexts;
  if (size !== undefined && count > size * maxParts)
    throw gatewayError('too-many-texts', { provider, count, limit: size * maxParts });
  return size;
};
