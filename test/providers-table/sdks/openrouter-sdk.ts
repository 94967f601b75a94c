import type { Place } from '../clients/official-client.ts';
import type { VendorSdk } from './vendor-sdk.ts';

interface OpenrouterClient {
  readonly chat: {
    send(request: object): Promise<{ readonly choices: readonly { readonly message: { readonly content: string } }[] }>;
  };
  readonly embeddings: {
    generate(request: object): Promise<{ readonly data: readonly { readonly embedding: readonly number[] }[] }>;
  };
  readonly responses: {
    send(request: object): Promise<{
      readonly output: readonly { readonly content: readonly { readonly text?: string }[] }[];
    }>;
  };
  readonly tts: { createSpeech(request: object): Promise<ReadableStream> };
  readonly images: {
    generate(request: object): Promise<{ readonly data: readonly { readonly b64Json: string }[] }>;
  };
  readonly rerank: {
    rerank(request: object): Promise<{ readonly results: readonly { readonly relevanceScore: number }[] }>;
  };
}

interface OpenrouterModule {
  readonly OpenRouter: new (options: { readonly serverURL: string; readonly apiKey: string }) => OpenrouterClient;
}

/** https://www.npmjs.com/package/@openrouter/sdk, which validates requests and responses against schemas. */
export const openrouterSdk: VendorSdk = {
  library: '@openrouter/sdk',
  provider: 'openrouter',
  writesOut: { responses: { service_tier: 'auto' }, speech: { response_format: 'pcm' } },
  async asks(load) {
    const { OpenRouter } = await load<OpenrouterModule>('@openrouter/sdk');
    const connect = ({ origin, base, key }: Place): OpenrouterClient =>
      new OpenRouter({ serverURL: origin + base, apiKey: key });
    return {
      chat: async (place, text) => {
        const chatRequest = { model: place.model, messages: [{ role: 'user', content: text }] };
        const { choices } = await connect(place).chat.send({ chatRequest });
        return choices[0]?.message.content ?? '';
      },
      embeddings: async (place, input) => {
        const requestBody = { model: place.model, input, encodingFormat: 'float' };
        const { data } = await connect(place).embeddings.generate({ requestBody });
        return String(data[0]?.embedding[0]);
      },
      responses: async (place, input) => {
        const responsesRequest = { model: place.model, input };
        const { output } = await connect(place).responses.send({ responsesRequest });
        return output[0]?.content[0]?.text ?? '';
      },
      speech: async (place, input) => {
        const speechRequest = { model: place.model, input, voice: 'alloy' };
        return new Response(await connect(place).tts.createSpeech({ speechRequest })).text();
      },
      images: async (place, prompt) => {
        const imageGenerationRequest = { model: place.model, prompt };
        const { data } = await connect(place).images.generate({ imageGenerationRequest });
        return data[0]?.b64Json ?? '';
      },
      rerank: async (place, query) => {
        const requestBody = { model: place.model, query, documents: ['one'] };
        const { results } = await connect(place).rerank.rerank({ requestBody });
        return String(results[0]?.relevanceScore);
      },
    };
  },
};
