import type { VendorSdk } from './vendor-sdk.ts';

interface WatsonxClient {
  textChat(request: object): Promise<{
    readonly result: { readonly choices: readonly { readonly message?: { readonly content?: string } }[] };
  }>;
}

interface WatsonxModule {
  readonly WatsonXAI: { newInstance(options: object): WatsonxClient };
}

interface CoreModule {
  readonly BearerTokenAuthenticator: new (options: { readonly bearerToken: string }) => object;
}

/** https://www.npmjs.com/package/@ibm-cloud/watsonx-ai */
export const watsonxSdk: VendorSdk = {
  library: '@ibm-cloud/watsonx-ai',
  provider: 'watsonx',
  async asks(load) {
    const { WatsonXAI } = await load<WatsonxModule>('@ibm-cloud/watsonx-ai');
    const { BearerTokenAuthenticator } = await load<CoreModule>('ibm-cloud-sdk-core');
    return {
      chat: async ({ origin, key, model }, content) => {
        const authenticator = new BearerTokenAuthenticator({ bearerToken: key });
        const client = WatsonXAI.newInstance({ version: '2024-10-08', serviceUrl: origin, authenticator });
        const messages = [{ role: 'user', content }];
        const { result } = await client.textChat({ modelId: model, projectId: 'acme', messages });
        return result.choices[0]?.message?.content ?? '';
      },
    };
  },
};
