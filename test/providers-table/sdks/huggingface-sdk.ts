import { sendTo } from './send-to.ts';
import type { VendorSdk } from './vendor-sdk.ts';

interface InferenceClient {
  chatCompletion(
    request: object,
  ): Promise<{ readonly choices: readonly { readonly message: { readonly content?: string } }[] }>;
}

interface HuggingfaceModule {
  readonly InferenceClient: new (key: string, options: { readonly fetch: typeof fetch }) => InferenceClient;
}

/** The library sends a key to the router only if it has this prefix. */
const toToken = (key: string): string => `hf_${key}`;

/** https://www.npmjs.com/package/@huggingface/inference */
export const huggingfaceSdk: VendorSdk = {
  library: '@huggingface/inference',
  provider: 'huggingface',
  keyHeaders: (key) => [['authorization', `Bearer ${toToken(key)}`]],
  async asks(load) {
    const { InferenceClient: Client } = await load<HuggingfaceModule>('@huggingface/inference');
    return {
      chat: async ({ origin, key, model }, content) => {
        const client = new Client(toToken(key), { fetch: sendTo(origin) });
        const { choices } = await client.chatCompletion({ model, messages: [{ role: 'user', content }] });
        return choices[0]?.message.content ?? '';
      },
    };
  },
};
