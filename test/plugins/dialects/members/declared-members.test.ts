import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { answerOptions, here } from '../support/codecs.ts';
import { bodiesOf, declaredBodies } from '../support/declared-bodies.ts';
import { unlistedMembers } from '../support/unlisted-members.ts';

const findDialect = (dialect: string): Dialect => {
  const found = builtinDialects.find(({ id }) => id === dialect);
  if (found === undefined) throw new Error(`There is no dialect ${dialect}.`);
  return found;
};

const codecs = builtinDialects.flatMap(({ conversation }) => conversation ?? []);

it.each(declaredBodies)('the table of $dialect for its $side lists what $type of $file declares', (declared) => {
  const table = findDialect(declared.dialect).members?.[declared.side];
  if (table === undefined) throw new Error(`${declared.dialect} has no table of its ${declared.side}.`);
  expect([...new Set(bodiesOf(declared).flatMap((body) => unlistedMembers(table, body)))]).toEqual([]);
});

/** Requests with these members are refused, because they rely on what the provider has stored. */
const stored = new Set(['previous_response_id', 'conversation', 'background']);

const toUnstored = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...body, model: 'any' }).filter(([name]) => !stored.has(name)));

/** Samples have the first declared value of each member, which may be the status of an unfinished or failed answer. */
const toSuccess = (body: JsonObject): JsonObject => ({
  ...body,
  ...('status' in body ? { status: 'completed' } : {}),
  ...(body.finish_reason === 'ERROR' ? { finish_reason: 'COMPLETE' } : {}),
});

/** Returns one copy of the request for each of its messages or items, with that message or item alone. */
const toSingles = (body: JsonObject): readonly JsonObject[] => {
  const name = 'input' in body ? 'input' : 'messages';
  const list: Json | undefined = body[name];
  return Array.isArray(list) ? list.map((each) => ({ ...body, [name]: [each] })) : [body];
};

const conversing = declaredBodies.filter(
  ({ dialect, within }) => within === undefined && findDialect(dialect).conversation !== undefined,
);

describe.each(conversing.filter(({ side }) => side === 'request'))('each request of $type of $file', (declared) => {
  it('is translated, or refused in words', () => {
    const refusals = new Set<string>();
    for (const body of bodiesOf(declared).map(toUnstored).flatMap(toSingles))
      try {
        const conversation = findDialect(declared.dialect).conversation?.decodeRequest(body, here);
        const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };
        for (const codec of codecs) if (conversation !== undefined) codec.encodeRequest(conversation, target);
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        refusals.add(error.message.replaceAll(/\[\d+\]/g, '[]'));
      }
    expect([...refusals].toSorted()).toMatchSnapshot();
  });
});

describe.each(conversing.filter(({ side }) => side === 'answer'))('each answer of $type of $file', (declared) => {
  it('is translated', () => {
    const decode = (body: JsonObject): Answer | undefined =>
      findDialect(declared.dialect).conversation?.decodeAnswer(body, here);
    for (const body of bodiesOf(declared).map(toSuccess)) {
      const answer = decode(body);
      for (const codec of codecs)
        if (answer !== undefined) expect(isJsonObject(codec.encodeAnswer(answer, answerOptions))).toBe(true);
    }
  });
});
