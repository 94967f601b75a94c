import { fillModel } from '../../sdk/provider/fill-model.ts';
import type { Endpoint } from '../../sdk/provider/provider.ts';

/** The formats of the models that make vectors, by how their names begin. */
const formats: readonly (readonly [prefix: string, format: string])[] = [
  ['amazon.titan-embed-', 'titan-embeddings'],
  ['amazon.nova-2-multimodal-embeddings', 'nova-embeddings'],
  ['cohere.embed-', 'cohere-embeddings'],
];

/** The name without the region of an inference profile, and of an ARN its last segment: `us.cohere.embed-v4:0`. */
const bareName = (model: string): string =>
  model.replace(/^.*\//s, '').replace(/^(?:[a-z]{2,6}|us-gov)\.(?=[a-z0-9]+\.)/, '');

/** The format in which a model makes vectors; undefined for one that converses, or is not known by its name. */
export const embeddingFormat = (model: string): string | undefined => {
  const name = bareName(model);
  return formats.find(([prefix]) => name.startsWith(prefix))?.[1];
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html */
export const invoke: Endpoint = ({ model }) => fillModel('/model/{model}/invoke', { model, provider: 'bedrock' });

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html: the others have one text each. */
export const maxTexts = (model = ''): number | undefined => {
  const format = embeddingFormat(model);
  if (format === undefined) return undefined;
  return format === 'cohere-embeddings' ? 96 : 1;
};
