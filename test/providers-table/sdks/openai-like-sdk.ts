import type OpenAI from 'openai';
import type { Place } from '../clients/official-client.ts';
import { openaiAsks } from '../clients/openai.ts';
import type { VendorSdk } from './vendor-sdk.ts';

interface OpenaiLikeSdk {
  readonly library: string;
  readonly provider: string;
  /** The provider's dialects that the library supports. */
  readonly dialects: readonly string[];
  /** Returns the base URL that the library expects. */
  baseUrl(place: Place): string;
  /** The name of the exported class, if it is not the default export. */
  readonly exported?: string;
  /** Options in addition to those of OpenAI's library. */
  readonly options?: object;
}

interface OpenaiLikeModule {
  readonly [exported: string]: typeof OpenAI | undefined;
}

/** Returns a vendor's library that has the same methods as OpenAI's. */
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
