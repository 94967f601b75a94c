import { GoogleGenAI, type Models } from '@google/genai';
import type { OfficialClient, Place } from './official-client.ts';

/** The library's default API version is `v1`, which has fewer members than the `v1beta` that the documentation describes. */
const models = ({ origin, base, key, headers }: Place): Models => {
  const httpOptions = { baseUrl: origin, apiVersion: base.slice(1), headers: { ...headers } };
  return new GoogleGenAI({ apiKey: key, vertexai: false, httpOptions }).models;
};

/** https://www.npmjs.com/package/@google/genai */
export const google: OfficialClient = {
  library: '@google/genai',
  asks: {
    gemini: async (place, text) => {
      const contents = [{ role: 'user', parts: [{ text }] }];
      return (await models(place).generateContent({ model: place.model, contents })).text ?? '';
    },
    'gemini-embeddings': async (place, text) => {
      const contents = { parts: [{ text }] };
      const { embeddings } = await models(place).embedContent({ model: place.model, contents });
      return String(embeddings?.[0]?.values?.[0]);
    },
    'google-images': async (place, text) => {
      const contents = [{ role: 'user', parts: [{ text }] }];
      const config = { responseModalities: ['IMAGE'] };
      return (await models(place).generateContent({ model: place.model, contents, config })).data ?? '';
    },
    'gemini-count': async (place, text) => {
      const contents = [{ role: 'user', parts: [{ text }] }];
      return String((await models(place).countTokens({ model: place.model, contents })).totalTokens);
    },
  },
};
