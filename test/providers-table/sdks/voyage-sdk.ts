import type { VendorSdk } from './vendor-sdk.ts';

interface VoyageClient {
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
    return {
      rerank: async ({ origin, base, key, model }, query) => {
        const client = new VoyageAIClient({ environment: origin + base, apiKey: key });
        const { data = [] } = await client.rerank({ model, query, documents: ['one'] });
        return String(data[0]?.relevanceScore);
      },
    };
  },
};
