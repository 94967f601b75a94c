import { type Provider, readMaxTexts } from '../../../plugins/sdk/provider/provider.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';

/** The maximum number of requests that one client request becomes. Lists that OpenAI accepts fit if each text needs a request. */
const maxParts = 2048;

/**
 * Returns how many texts a provider accepts in one request. Undefined for any number. Throws the `GatewayError` `too-many-texts`
 * if the texts of a client request cannot be sent.
 */
export const partSize = (
  provider: Pick<Provider, 'id' | 'maxTexts'>,
  { count, model }: { readonly count: number; readonly model: string | undefined },
): number | undefined => {
  const size = readMaxTexts(provider, model);
  if (size !== undefined && count > size * maxParts)
    throw gatewayError('too-many-texts', { provider: provider.id, count, limit: size * maxParts });
  return size;
};
