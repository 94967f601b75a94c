import type { VendorSdk } from './vendor-sdk.ts';

interface EmbeddingModel {
  embedContent(request: object): Promise<{ readonly embedding: { readonly values: readonly number[] } }>;
}

interface GenerativeAiModule {
  readonly GoogleGenerativeAI: new (
    key: string,
  ) => {
    getGenerativeModel(model: object, options: { readonly baseUrl: string }): EmbeddingModel;
  };
}

/** https://www.npmjs.com/package/@google/generative-ai: Google's previous library, which sends a single text. */
export const embedContentSdk: VendorSdk = {
  library: '@google/generative-ai',
  provider: 'google',
  async asks(load) {
    const { GoogleGenerativeAI } = await load<GenerativeAiModule>('@google/generative-ai');
    return {
      'gemini-embed-content': async ({ origin, key, model }, text) => {
        const embedder = new GoogleGenerativeAI(key).getGenerativeModel({ model }, { baseUrl: origin });
        const { embedding } = await embedder.embedContent({ content: { parts: [{ text }] } });
        return String(embedding.values[0]);
      },
    };
  },
};
