import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { exactText, fromExactJson } from '../../../schema/json/exact-numbers.ts';
import { chatCodec, here } from './support/codecs.ts';

/** A seed that JavaScript rounds. */
const seed = '1234567890123456789';

const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };
const asked = { ...here, model: 'm' };

const question = `{"model":"m","max_tokens":9,"seed":${seed},"messages":[{"role":"user","content":"Hello."}]}`;

/** Every dialect whose requests are conversations, with its request for the question. */
const requests = builtinDialects.flatMap(({ id, conversation }) => {
  if (conversation === undefined) return [];
  const { body, lost } = conversation.encodeRequest(chatCodec.decodeRequest(fromExactJson(question), asked), target);
  return [{ id, codec: conversation, text: exactText(body), isLost: lost.includes('sampling.seed') }];
});

describe.each(requests)('the seed of a request in $id', ({ codec, text, isLost }) => {
  it('has all its digits, or is reported as lost', () => {
    expect([isLost, text.includes(`"seed":${seed}`)]).toEqual([isLost, !isLost]);
  });

  it.skipIf(isLost)('keeps them when the request is read', () => {
    const conversation = codec.decodeRequest(fromExactJson(text), asked);
    expect(exactText(chatCodec.encodeRequest(conversation, target).body)).toContain(`"seed":${seed}`);
  });
});
