import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject } from '../../../schema/json/loose.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { countDialect } from '../counts/count-dialect.ts';
import { geminiDeclaration } from '../counts/declarations.ts';
import type { NestedRequest } from '../counts/nested-texts.ts';
import { toCountedDialect } from '../counts/to-counted-dialect.ts';
import { gemini } from '../gemini/gemini.ts';
import { field } from '../gemini/parts/field.ts';
import { decodeRequest } from '../gemini/request/decode-request.ts';
import { all, facts, object, structural } from '../shared/checked-texts/members.ts';
import { Member } from '../shared/json/member.ts';
import { snake } from '../shared/json/snake.ts';

const counted = toCountedDialect(gemini);

const nested = 'generateContentRequest';

const namesOf = (body: JsonObject): readonly string[] =>
  [nested, snake(nested)].filter((name) => body[name] !== undefined && body[name] !== null);

/** Returns the request in a body. If there are contents beside it, it is unknown which of the two is counted. */
const findRequest = (body: JsonObject): NestedRequest | undefined => {
  const [name, other] = namesOf(body);
  if (name === undefined) return { body, path: [] };
  const request = findObject(body[name]);
  const isOne = other === undefined && (body.contents === undefined || body.contents === null);
  return request === undefined || !isOne ? undefined : { body: request, path: [name] };
};

/**
 * Returns the resource of a model. Its name may include its collection, as the vendor's own names do: `models/…`,
 * `tunedModels/…`.
 */
const toResource = (model: string): string => (model.includes('/') ? model : `models/${model}`);

/**
 * Google's countTokens, of the Gemini API and of Vertex AI: https://ai.google.dev/api/tokens. It accepts contents alone, or a
 * whole request, which repeats the model of the path.
 */
export const geminiCount: Dialect = countDialect({
  declaration: geminiDeclaration,
  counted,
  findRequest,
  decode(body, options) {
    const request = findRequest(body);
    if (request !== undefined) return decodeRequest(request.body, options, request.path.join('.'));
    const wire = field(new Member(geminiDeclaration.id, '', body), nested);
    wire.object();
    return wire.fail('must be the only request: contents must be absent');
  },
  write: (request, model) => ({
    [nested]: model === undefined ? request : { model: toResource(model), ...request },
  }),
  namesModelAgain: (body) => namesOf(body).length > 0,
  members: {
    request: counted.members.request,
    answer: object({
      ...all('totalTokens cachedContentTokenCount totalBillableCharacters', structural),
      ...all('promptTokensDetails cacheTokensDetails', facts),
    }),
  },
  tokens: 'totalTokens',
});
