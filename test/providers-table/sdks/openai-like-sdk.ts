import type OpenAI from 'openai';
import type { Place } from '../clients/official-client.ts';
import { openaiAsks } from '../clients/openai.ts';
import type { VendorSdk } from './vendor-sdk.ts';

interface OpenaiLikeSdk {
  readonly library: string;
  readonly provider: string;
  /** Those that it has of the dialects of its provider. */
  readonly dialects: readonly string[];
  /** The base URL that it wants. */
  baseUrl(place: Place): string;
  /** The name of its class, if that is not its default export. */
  readonly exported?: string;
  /** Options beside those that OpenAI's has. */
  readonly options?: object;
}

interface OpenaiLikeModule {
  readonly [exported: string]: typeof OpenAI | undefined;
}

/** A vendor's library whose methods are those of OpenAI's. */
export const openaiLikeSdk = ({
  library,
  provider,
  dialects,
  baseUrl,
  exported = 'default',
  options,
}: OpenaiLikeSdk): VendorSdk => ({
  library,
  provider,
  async asks(load) {
    const { [exported]: Client } = await load<OpenaiLikeModule>(library);
    if (Client === undefined) throw new Error(`${library} exports no ${exported}.`);
    const all = openaiAsks(
      (place) => new Client({ baseURL: baseUrl(place), apiKey: place.key, maxRetries: 0, ...options }),
    );
    return Object.fromEntries(Object.entries(all).filter(([dialect]) => dialects.includes(dialect)));
  },
});
