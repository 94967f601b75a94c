import type { CohereClientV2 } from 'cohere-ai';
import type { Place } from '../clients/official-client.ts';
import { credentialSamples, region } from '../targets.ts';
import { sendTo } from './send-to.ts';
import type { VendorSdk } from './vendor-sdk.ts';

interface CohereModule {
  readonly BedrockClientV2: new (options: object) => Pick<CohereClientV2, 'embed' | 'rerank'>;
}

/** https://www.npmjs.com/package/cohere-ai, as it calls Cohere's models on Bedrock. */
export const cohereOnBedrockSdk: VendorSdk = {
  library: 'cohere-ai',
  provider: 'bedrock',
  needs: [
    ...['@aws-sdk/credential-providers', '@aws-crypto/sha256-js'],
    ...['@smithy/protocol-http', '@smithy/signature-v4'],
  ],
  async asks(load) {
    const { BedrockClientV2 } = await load<CohereModule>('cohere-ai/aws');
    const connect = ({ origin }: Place): Pick<CohereClientV2, 'embed' | 'rerank'> =>
      new BedrockClientV2({
        ...{ awsRegion: region, fetch: sendTo(origin), maxRetries: 0 },
        awsAccessKey: credentialSamples.cloudc_access_key_id,
        awsSecretKey: credentialSamples.cloudc_secret_access_key,
      });
    return {
      'cohere-embeddings': async (place, text) => {
        const { embeddings } = await connect(place).embed({
          ...{ model: place.model, texts: [text] },
          inputType: 'search_document',
          embeddingTypes: ['float'],
        });
        return String(embeddings.float?.[0]?.[0]);
      },
      'bedrock-rerank': async (place, query) => {
        const { results } = await connect(place).rerank({ model: place.model, query, documents: ['one'] });
        return String(results[0]?.relevanceScore);
      },
    };
  },
};
