import { ocrRequest } from './ocr-request.ts';
import type { VendorSdk } from './vendor-sdk.ts';

interface MistralClient {
  readonly chat: {
    complete(
      request: object,
    ): Promise<{ readonly choices: readonly { readonly message: { readonly content: string } }[] }>;
  };
  readonly embeddings: {
    create(request: object): Promise<{ readonly data: readonly { readonly embedding: readonly number[] }[] }>;
  };
  readonly classifiers: {
    moderate(request: object): Promise<{ readonly results: readonly { readonly categories?: object }[] }>;
  };
  readonly ocr: {
    process(request: object): Promise<{ readonly pages: readonly { readonly markdown: string }[] }>;
  };
}

interface MistralModule {
  readonly Mistral: new (options: { readonly serverURL: string; readonly apiKey: string }) => MistralClient;
}

/** https://www.npmjs.com/package/@mistralai/mistralai, which validates requests and responses against schemas. */
export const mistralSdk: VendorSdk = {
  library: '@mistralai/mistralai',
  provider: 'mistral-ai',
  async asks(load) {
    const { Mistral } = await load<MistralModule>('@mistralai/mistralai');
    return {
      chat: async ({ origin, key, model }, text) => {
        const messages = [{ role: 'user', content: text }];
        const { choices } = await new Mistral({ serverURL: origin, apiKey: key }).chat.complete({ model, messages });
        return choices[0]?.message.content ?? '';
      },
      embeddings: async ({ origin, key, model }, inputs) => {
        const { embeddings } = new Mistral({ serverURL: origin, apiKey: key });
        const { data } = await embeddings.create({ model, inputs, encodingFormat: 'float' });
        return String(data[0]?.embedding[0]);
      },
      moderations: async ({ origin, key, model }, inputs) => {
        const { classifiers } = new Mistral({ serverURL: origin, apiKey: key });
        return JSON.stringify((await classifiers.moderate({ model, inputs })).results[0]?.categories);
      },
      ocr: async ({ origin, key, model }, prompt) => {
        const { ocr } = new Mistral({ serverURL: origin, apiKey: key });
        // By default the library requests blocks.
        const { pages } = await ocr.process({ ...ocrRequest(model, prompt), includeBlocks: false });
        return pages[0]?.markdown ?? '';
      },
    };
  },
};
