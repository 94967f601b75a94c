import { isDeepStrictEqual } from 'node:util';
import type { Conversation, Sampling } from '../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { ConversationCodec, Dialect } from '../../sdk/dialect/dialect.ts';
import { withParams } from '../../sdk/dialect/with-params.ts';
import { attempt } from '../errors/attempt.ts';
import { plainConversation } from '../samples/sample-conversations.ts';
import { isDeclared, readRequest, target, writtenRequest } from './codec-kit.ts';

type Place = (params: JsonObject, body: JsonObject) => JsonObject;

const bare: Conversation = { ...plainConversation, sampling: {} };

/** The parameters of configs that every format may have, with the members that they correspond to. */
const known: readonly (readonly [name: string, value: Json, sampling: Sampling])[] = [
  ['temperature', 0.25, { temperature: 0.25 }],
  ['top_p', 0.5, { topP: 0.5 }],
  ['max_tokens', 99, { maxTokens: 99 }],
  ['max_completion_tokens', 99, { maxTokens: 99 }],
  ['stop', ['END'], { stop: ['END'] }],
  ['seed', 7, { seed: 7 }],
];

/** Tests `place` with arbitrary parameters. A format for counting may omit those that do not affect the count. */
const shapeErrors = (place: Place, body: JsonObject, { count }: Dialect): readonly string[] => {
  const params: JsonObject = { temperature: 0.25, stop: ['END'], 'x-of-the-kit': { a: [1] } };
  const copies = structuredClone([params, body]);
  const placed = place(params, body);
  return [
    ...(isDeepStrictEqual([params, body], copies) ? [] : ['place must not change its arguments']),
    ...(isDeepStrictEqual(place({}, body), body)
      ? []
      : ['place must return the body unchanged if there are no parameters']),
    ...(count !== undefined || isDeepStrictEqual(placed['x-of-the-kit'], { a: [1] })
      ? []
      : ['place must put a parameter that it does not know at the top level']),
    ...(isDeepStrictEqual(place(params, placed), placed)
      ? []
      : ['place must return the same result when it is repeated']),
  ];
};

const parameterErrors = (codec: ConversationCodec, place: Place): readonly string[] =>
  known.flatMap(([name, value, sampling]) =>
    attempt(`place with "${name}"`, () => {
      const wanted = { ...bare, sampling };
      const lost = codec.encodeRequest(wanted, target).lost.filter((each) => each.startsWith('sampling'));
      if (lost.length > 0 && lost.every((each) => isDeclared(each, codec))) return [];
      const written = writtenRequest(codec, bare);
      const read = readRequest(codec, place({ [name]: value }, written), bare);
      return Object.entries(sampling).every(([member, is]) =>
        isDeepStrictEqual(read.sampling[member as keyof Sampling], is),
      )
        ? []
        : [`the parameter "${name}" of configs is not where decodeRequest reads it: it needs place or ownParams`];
    }),
  );

/**
 * Returns the errors in how parameters of configs are placed in a body. Without `place`, they go to the top level, with the names
 * that `ownParams` returns.
 */
export const placeErrors = (dialect: Dialect): readonly string[] => {
  const codec = dialect.conversation;
  const place: Place = (params, body) => withParams(dialect, params, body);
  const body = (): JsonObject =>
    codec === undefined ? { model: 'a-model' } : writtenRequest(codec, plainConversation);
  return [
    ...attempt('place', () => shapeErrors(place, body(), dialect)),
    ...(codec === undefined ? [] : parameterErrors(codec, place)),
  ];
};
