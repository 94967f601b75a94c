import { findText } from '../../../schema/json/loose.ts';
import type { EmbeddingRequest } from '../../../schema/operations/embedding.ts';
import type { ClientCodec } from '../../sdk/dialect/operation-codec.ts';
import { defined } from '../shared/json/defined.ts';
import { Member } from '../shared/json/member.ts';
import { toBase64 } from '../shared/split-lists/base64-vector.ts';
import { findPurpose, purposeMembers } from './purposes.ts';

const id = 'embeddings';

/** The members that every format can express. All others are lost. */
const known: ReadonlySet<string> = new Set(['model', 'input', 'dimensions', 'encoding_format']);

const readTexts = (input: Member): readonly string[] => {
  if (typeof input.value === 'string') return [input.value];
  if (!Array.isArray(input.value)) return input.fail('must be a text or a list of texts');
  if (input.value.length === 0) return input.fail('must have a text');
  return input.items().map((item) => {
    if (typeof item.value === 'string') return item.value;
    return item.fail('must be a text: only a provider of this format accepts token ids');
  });
};

type Encoding = 'float' | 'base64';

const readEncoding = (encoding: Member): Encoding => {
  const word = encoding.maybeText() ?? 'float';
  return word === 'float' || word === 'base64' ? word : encoding.fail('must be float or base64');
};

const decodeRequest: ClientCodec<'embed'>['decodeRequest'] = (body, { model }) => {
  const wire = new Member(id, '', body);
  readEncoding(wire.at('encoding_format'));
  const named = purposeMembers.filter((name) => findPurpose(findText(body[name])) !== undefined);
  const [first] = named;
  return defined({
    model: model ?? wire.at('model').maybeText(),
    texts: readTexts(wire.at('input')),
    dimensions: wire.at('dimensions').maybeNumber(),
    purpose: first === undefined ? undefined : findPurpose(findText(body[first])),
    more: Object.keys(body)
      .filter((name) => !known.has(name) && !named.some((each) => each === name) && body[name] !== null)
      .map((name) => `extensions.${id}.${name}`),
  }) as EmbeddingRequest;
};

/** https://platform.openai.com/docs/api-reference/embeddings/object. Its usage counts only the input. */
const encodeAnswer: ClientCodec<'embed'>['encodeAnswer'] = (vectors, { request: { model }, body, usage }) => {
  const encoding = readEncoding(new Member(id, '', body).at('encoding_format'));
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encoding === 'float' ? [...vector] : toBase64(vector),
    })),
    model: model ?? '',
    usage: { prompt_tokens: usage.input, total_tokens: usage.input },
  };
};

/** https://platform.openai.com/docs/api-reference/embeddings/create */
export const codec: ClientCodec<'embed'> = { decodeRequest, encodeAnswer };
