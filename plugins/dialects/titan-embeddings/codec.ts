import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems, findNumber } from '../../../schema/json/loose.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { toVectors } from '../shared/answer/to-vectors.ts';
import { defined } from '../shared/json/defined.ts';
import { withoutDropped } from '../shared/request/without-dropped.ts';
import { type OneByOne, unwrapSingle, vectorsOf } from '../shared/split-lists/one-by-one.ts';

/**
 * Whether a model is the multimodal one, which has its settings in a separate member:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-mm.html
 */
const isMultimodal = (model: string | undefined): boolean => model?.includes('titan-embed-image') === true;

/** The path names the model: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
export const encodeRequest: ProviderCodec<'embed'>['encodeRequest'] = (request, { drop }) => {
  const { model, texts, dimensions, purpose, more } = request;
  const length = dimensions === undefined ? undefined : { outputEmbeddingLength: dimensions };
  const body = defined({
    inputText: unwrapSingle(texts),
    ...(isMultimodal(model) ? { embeddingConfig: length } : { dimensions }),
  }) as JsonObject;
  const { kept, dropped } = withoutDropped(body, drop);
  return { body: kept, lost: [...dropped, ...(purpose === undefined ? [] : ['purpose']), ...more] };
};

/** Returns the usage. An embedding has no output. */
export const findUsage = ({ inputTextTokenCount }: JsonObject): Usage | undefined => {
  const input = findNumber(inputTextTokenCount);
  return input === undefined ? undefined : { input, output: 0 };
};

export const oneByOne: OneByOne = {
  readText: ({ inputText }) => inputText,
  writeText: (body, text) => ({ ...body, inputText: text }),
  readVector(answer) {
    const vector = findItems(answer.embedding);
    if (vector === undefined) throw new TypeError(notAnAnswer(answer, 'embedding'));
    return vector;
  },
  sum(answers) {
    const counts = answers.map(({ inputTextTokenCount }) => findNumber(inputTextTokenCount));
    if (counts.includes(undefined)) return {};
    return { inputTextTokenCount: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) };
  },
};

export const decodeAnswer: ProviderCodec<'embed'>['decodeAnswer'] = (wire, request) =>
  toVectors(vectorsOf(wire, oneByOne), request);
