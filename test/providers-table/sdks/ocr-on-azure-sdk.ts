import { ocrRequest } from './ocr-request.ts';
import type { VendorSdk } from './vendor-sdk.ts';

interface OcrResult {
  readonly ok: boolean;
  readonly error?: unknown;
  readonly value?: { readonly pages: readonly { readonly markdown: string }[] };
}

interface CoreModule {
  readonly MistralAzureCore: new (options: object) => object;
}

interface OcrModule {
  ocrProcess(client: object, request: object): Promise<OcrResult>;
}

/** https://www.npmjs.com/package/@mistralai/mistralai-azure */
export const ocrOnAzureSdk: VendorSdk = {
  library: '@mistralai/mistralai-azure',
  provider: 'azure-ai',
  keyHeaders: (key) => [['authorization', `Bearer ${key}`]],
  async asks(load) {
    const { MistralAzureCore } = await load<CoreModule>('@mistralai/mistralai-azure/core.js');
    const { ocrProcess } = await load<OcrModule>('@mistralai/mistralai-azure/funcs/ocrProcess.js');
    return {
      ocr: async ({ origin, key, model }, prompt) => {
        const client = new MistralAzureCore({ serverURL: origin, apiKey: key });
        const { value, error } = await ocrProcess(client, ocrRequest(model, prompt));
        if (error !== undefined) throw error;
        return value?.pages[0]?.markdown ?? '';
      },
    };
  },
};
