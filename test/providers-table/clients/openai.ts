import OpenAI, { AzureOpenAI } from 'openai';
import { azureVersion } from '../targets.ts';
import type { Asks, OfficialClient, Place } from './official-client.ts';

const file = (): File => new File(['file'], 'a.png', { type: 'image/png' });
const sound = (): File => new File(['file'], 'a.mp3', { type: 'audio/mpeg' });

/** The requests that a library shaped like OpenAI's sends, by dialect. */
export const openaiAsks = (connect: (place: Place) => OpenAI): Asks => ({
  chat: async (place, text) => {
    const { model } = place;
    const messages = [{ role: 'user' as const, content: text }];
    const { choices } = await connect(place).chat.completions.create({ model, messages });
    return choices[0]?.message.content ?? '';
  },
  responses: async (place, text) => {
    const { model } = place;
    return (await connect(place).responses.create({ model, input: text })).output_text;
  },
  'responses-count': async (place, text) => {
    const { model } = place;
    return String((await connect(place).responses.inputTokens.count({ model, input: text })).input_tokens);
  },
  completions: async (place, prompt) => {
    const { model } = place;
    return (await connect(place).completions.create({ model, prompt })).choices[0]?.text ?? '';
  },
  embeddings: async (place, input) => {
    const { model } = place;
    const { data } = await connect(place).embeddings.create({ model, input, encoding_format: 'float' });
    return String(data[0]?.embedding[0]);
  },
  speech: async (place, input) => {
    const { model } = place;
    return (await connect(place).audio.speech.create({ model, input, voice: 'alloy' })).text();
  },
  transcriptions: async (place, prompt) => {
    const { model } = place;
    return (await connect(place).audio.transcriptions.create({ model, prompt, file: sound() })).text;
  },
  translations: async (place, prompt) => {
    const { model } = place;
    return (await connect(place).audio.translations.create({ model, prompt, file: sound() })).text;
  },
  images: async (place, prompt) => {
    const { model } = place;
    const [image] = (await connect(place).images.generate({ model, prompt })).data ?? [];
    return image?.b64_json ?? image?.url ?? '';
  },
  'image-edits': async (place, prompt) => {
    const { model } = place;
    return (await connect(place).images.edit({ model, prompt, image: file() })).data?.[0]?.b64_json ?? '';
  },
  'image-variations': async (place) => {
    const { model } = place;
    return (await connect(place).images.createVariation({ model, image: file() })).data?.[0]?.b64_json ?? '';
  },
  moderations: async (place, input) => {
    const { model } = place;
    return String((await connect(place).moderations.create({ model, input })).results[0]?.flagged);
  },
});

/** https://www.npmjs.com/package/openai */
export const openai: OfficialClient = {
  library: 'openai',
  asks: openaiAsks(
    ({ origin, base, key, headers }) =>
      new OpenAI({ baseURL: origin + base, apiKey: key, defaultHeaders: headers, maxRetries: 0 }),
  ),
};

/** The same library for Azure deployments, with a dated version of the API. */
export const azureOpenai: OfficialClient = {
  library: 'openai',
  asks: openaiAsks(
    ({ origin, key }) => new AzureOpenAI({ endpoint: origin, apiVersion: azureVersion, apiKey: key, maxRetries: 0 }),
  ),
};

/**
 * The same library for a Foundry resource's API without a version:
 * https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
 */
export const openaiOnFoundry: OfficialClient = {
  library: 'openai',
  keyHeaders: (key) => [['authorization', `Bearer ${key}`]],
  asks: openaiAsks(({ origin, key }) => new OpenAI({ baseURL: `${origin}/openai/v1`, apiKey: key, maxRetries: 0 })),
};
