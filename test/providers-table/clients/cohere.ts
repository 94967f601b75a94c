import { CohereClient, CohereClientV2 } from 'cohere-ai';
import type { Asks, OfficialClient, Place } from './official-client.ts';

const connect = ({ origin, key, headers }: Place): CohereClientV2 =>
  new CohereClientV2({ environment: origin, token: key, headers: { ...headers }, maxRetries: 0 });

const rerank =
  (base: string): Asks[string] =>
  async (place, query) => {
    const client = connect({ ...place, origin: place.origin + base });
    const { results } = await client.rerank({ model: place.model, query, documents: ['one'] });
    return String(results[0]?.relevanceScore);
  };

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
    'older-cohere-embeddings': async ({ origin, key, headers, model }, text) => {
      const older = new CohereClient({ environment: origin, token: key, headers: { ...headers }, maxRetries: 0 });
      const answer = await older.embed({ model, texts: [text], inputType: 'search_document' });
      return answer.responseType === 'embeddings_floats' ? String(answer.embeddings[0]?.[0]) : '';
    },
    rerank: rerank(''),
  },
};

/** The same library for Cohere's models in Azure: https://docs.cohere.com/docs/cohere-on-microsoft-azure */
export const cohereOnAzure: OfficialClient = {
  library: 'cohere-ai',
  keyHeaders: (key) => [['authorization', `Bearer ${key}`]],
  asks: { rerank: rerank('/providers/cohere') },
};
