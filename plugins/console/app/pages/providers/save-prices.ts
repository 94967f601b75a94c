import { call } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { type IntegrationModels, type PriceFields, withPrices } from './prices.ts';

/** How many times saving is tried if others save the list at the same time. */
const maxTries = 5;

/** Saves the prices of one model. The route replaces the whole list, but changes that others made meanwhile are kept. */
export const savePrices = async (path: string, slug: string, fields: PriceFields): Promise<void> => {
  for (let tried = 1; ; tried += 1) {
    const { body, headers } = await call<IntegrationModels>('GET', path);
    try {
      await call('PUT', path, {
        body: { models: withPrices(body.models, slug, fields) },
        headers: { 'if-match': headers.get('etag') ?? '*' },
      });
      return;
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 412 || tried === maxTries) throw thrown;
    }
  }
};
