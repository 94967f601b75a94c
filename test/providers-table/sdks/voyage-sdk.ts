import type { Place } from '../clients/official-client.ts';
import type { VendorSdk } from './vendor-sdk.ts';

interface VoyageClient {
  embed(request: object): Promise<{ readonly data?: readonly { readonly embedding?: readonly number[] }[] }>;
  rerank(request: object): Promise<{ readonly data?: readonly { readonly relevanceScore?: number }[] }>;
}

interface VoyageModule {
  readonly VoyageAIClient: new (options: { readonly environment: string; readonly apiKey: string }) => VoyageClient;
}

/** https://www.npmjs.com/package/voyageai */
export const voyageSdk: VendorSdk = {
  library: 'voyageai',
  provider: 'voyage',
  async asks(load) {
    const { VoyageAIClient } = await load<VoyageModule>('voyageai');
    const connect = ({ origin, base, key }: Place): VoyageClient =>
      new VoyageAIClient({ environment: origin + base, apiKey: key });
    return {
      embeddings: async (place, input) => {
        const { data = [] } = await connect(place).embed({ model: place.model, input });
        return String(data[0]?.embedding?.[0]);
      },
      rerank: async (place, query) => {
        const { model } = place;
        const { data = [] } = await connect(place).rerank({ model, query, documents: ['one'] });
        return String(data[0]?.relevanceScore);
      },
    };
  },
};
