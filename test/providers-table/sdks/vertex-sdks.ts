import type Anthropic from '@anthropic-ai/sdk';
import type { GoogleGenAI } from '@google/genai';
import { anthropicAsks } from '../clients/anthropic.ts';
import type { VendorSdk } from './vendor-sdk.ts';

const project = { projectId: 'acme', region: 'europe-west4' };

/** The authentication client from which the libraries of Google's cloud get their credential headers. */
const authClient = (key: string): object => ({
  projectId: project.projectId,
  getRequestHeaders: async () => new Headers({ authorization: `Bearer ${key}` }),
});

interface AnthropicVertexModule {
  readonly AnthropicVertex: new (options: object) => Anthropic;
}

interface GenaiModule {
  readonly GoogleGenAI: new (options: object) => GoogleGenAI;
}

/** The version in the platform's documentation. The library's default is a newer version of Anthropic's. */
const defaultHeaders = { 'anthropic-version': 'vertex-2023-10-16' };

/** https://www.npmjs.com/package/@anthropic-ai/vertex-sdk */
export const claudeOnVertexSdk: VendorSdk = {
  library: '@anthropic-ai/vertex-sdk',
  provider: 'vertex-ai',
  async asks(load) {
    const { AnthropicVertex } = await load<AnthropicVertexModule>('@anthropic-ai/vertex-sdk');
    return anthropicAsks(({ origin, key }) => {
      const baseURL = `${origin}/v1`;
      return new AnthropicVertex({ ...project, baseURL, authClient: authClient(key), defaultHeaders, maxRetries: 0 });
    });
  },
};

/** https://www.npmjs.com/package/@google/genai, as it calls Vertex AI. */
export const geminiOnVertexSdk: VendorSdk = {
  library: '@google/genai',
  provider: 'vertex-ai',
  async asks(load) {
    const { GoogleGenAI: Client } = await load<GenaiModule>('@google/genai');
    const models = (origin: string, key: string): GoogleGenAI['models'] =>
      new Client({
        ...{ vertexai: true, project: project.projectId, location: project.region },
        httpOptions: { baseUrl: origin, apiVersion: 'v1' },
        googleAuthOptions: { authClient: authClient(key) },
      }).models;
    return {
      gemini: async ({ origin, key, model }, text) => {
        const contents = [{ role: 'user', parts: [{ text }] }];
        return (await models(origin, key).generateContent({ model, contents })).text ?? '';
      },
      'gemini-count': async ({ origin, key, model }, text) => {
        const contents = [{ role: 'user', parts: [{ text }] }];
        return String((await models(origin, key).countTokens({ model, contents })).totalTokens);
      },
      'google-images': async ({ origin, key, model }, text) => {
        const contents = [{ role: 'user', parts: [{ text }] }];
        const config = { responseModalities: ['IMAGE'] };
        return (await models(origin, key).generateContent({ model, contents, config })).data ?? '';
      },
      'vertex-embeddings': async ({ origin, key, model }, text) => {
        const { embeddings } = await models(origin, key).embedContent({ model, contents: text });
        return String(embeddings?.[0]?.values?.[0]);
      },
    };
  },
};
