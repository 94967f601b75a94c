import { CohereClientV2 } from 'cohere-ai';
import type { OfficialClient, Place } from './official-client.ts';

const connect = ({ origin, key, headers }: Place): CohereClientV2 =>
  new CohereClientV2({ environment: origin, token: key, headers: { ...headers }, maxRetries: 0 });

/** https://www.npmjs.com/package/cohere-ai */
export const cohere: OfficialClient = {
  library: 'cohere-ai',
  asks: {
    cohere: async (place, text) => {
      const messages = [{ role: 'user' as const, content: text }];
      const { message } = await connect(place).chat({ model: place.model, messages });
      return (message.content ?? []).map((item) => (item.type === 'text' ? item.text : '')).join('');
    },
    'cohere-embeddings': async (place, text) => {
      const { embeddings } = await connect(place).embed({
        ...{ model: place.model, texts: [text] },
        inputType: 'search_document',
        embeddingTypes: ['float'],
      });
      return String(embeddings.float?.[0]?.[0]);
    },
    rerank: async (place, query) => {
      const { results } = await connect(place).rerank({ model: place.model, query, documents: ['one'] });
      return String(results[0]?.relevanceScore);
    },
  },
};
