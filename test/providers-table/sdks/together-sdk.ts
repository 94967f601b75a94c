import type { Place } from '../clients/official-client.ts';
import { openaiLikeSdk } from './openai-like-sdk.ts';
import type { VendorSdk } from './vendor-sdk.ts';

interface TogetherModule {
  readonly default: new (
    options: object,
  ) => {
    readonly rerank: {
      create(request: object): Promise<{ readonly results: readonly { readonly relevance_score: number }[] }>;
    };
  };
}

const baseUrl = ({ origin, base }: Place): string => origin + base;

const likeOpenai: VendorSdk = openaiLikeSdk({
  library: 'together-ai',
  provider: 'together-ai',
  dialects: ['chat', 'completions', 'embeddings', 'images', 'speech', 'transcriptions', 'translations'],
  baseUrl,
});

/** https://www.npmjs.com/package/together-ai */
export const togetherSdk: VendorSdk = {
  ...likeOpenai,
  async asks(load) {
    const { default: Together } = await load<TogetherModule>('together-ai');
    return {
      ...(await likeOpenai.asks(load)),
      rerank: async (place, query) => {
        const client = new Together({ baseURL: baseUrl(place), apiKey: place.key, maxRetries: 0 });
        const { results } = await client.rerank.create({ model: place.model, query, documents: ['one'] });
        return String(results[0]?.relevance_score);
      },
    };
  },
};
