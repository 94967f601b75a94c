import {
  BedrockRuntimeClient,
  ConverseCommand,
  CountTokensCommand,
  InvokeModelCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { JsonObject } from '../../../schema/json/json.ts';
import { credentialSamples, region } from '../targets.ts';
import type { OfficialClient, Place } from './official-client.ts';

/** The client's own handler uses HTTP/2 even without TLS, which plain-text servers do not accept. */
class HandlerWithHeaders extends NodeHttpHandler {
  readonly #headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>) {
    super();
    this.#headers = headers;
  }

  override handle(...[request, options]: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    Object.assign(request.headers, this.#headers);
    return super.handle(request, options);
  }
}

const connect = ({ origin, headers }: Place): BedrockRuntimeClient =>
  new BedrockRuntimeClient({
    ...{ endpoint: origin, region, maxAttempts: 1 },
    credentials: {
      accessKeyId: credentialSamples.cloudc_access_key_id,
      secretAccessKey: credentialSamples.cloudc_secret_access_key,
    },
    requestHandler: new HandlerWithHeaders(headers),
  });

/** https://www.npmjs.com/package/@aws-sdk/client-bedrock-runtime */
export const aws: OfficialClient = {
  library: '@aws-sdk/client-bedrock-runtime',
  asks: {
    converse: async (place, text) => {
      const messages = [{ role: 'user' as const, content: [{ text }] }];
      const { output } = await connect(place).send(new ConverseCommand({ modelId: place.model, messages }));
      return output?.message?.content?.[0]?.text ?? '';
    },
    'converse-count': async (place, text) => {
      const messages = [{ role: 'user' as const, content: [{ text }] }];
      const input = { converse: { messages } };
      return String((await connect(place).send(new CountTokensCommand({ modelId: place.model, input }))).inputTokens);
    },
  },
};

const invoke = async (place: Place, body: JsonObject): Promise<JsonObject> => {
  const input = { modelId: place.model, contentType: 'application/json', body: JSON.stringify(body) };
  return JSON.parse((await connect(place).send(new InvokeModelCommand(input))).body.transformToString());
};

/** The same library, calling models in their native formats: it sends bodies as each model's documentation describes them. */
export const awsInvoke: OfficialClient = {
  library: '@aws-sdk/client-bedrock-runtime (InvokeModel)',
  asks: {
    'titan-embeddings': async (place, inputText) => String((await invoke(place, { inputText })).inputTextTokenCount),
    'nova-embeddings': async (place, value) => {
      const singleEmbeddingParams = {
        embeddingPurpose: 'GENERIC_INDEX',
        text: { truncationMode: 'NONE', value },
      };
      const { embeddings } = await invoke(place, { taskType: 'SINGLE_EMBEDDING', singleEmbeddingParams });
      return JSON.stringify(embeddings);
    },
    'bedrock-images': async (place, text) => {
      const { images } = await invoke(place, {
        taskType: 'TEXT_IMAGE',
        textToImageParams: { text },
        imageGenerationConfig: { numberOfImages: 1 },
      });
      return JSON.stringify(images);
    },
  },
};
