import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findOverflow,
  rebuiltInput,
  withoutOldest,
} from '../../../../../plugins/control/work/responses/sent-response.ts';
import type { StoredResponse } from '../../../../../plugins/control/work/responses/stored-responses.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';

const reasoning = (members: JsonObject): JsonObject => ({ type: 'reasoning', summary: [], ...members });

describe('reasoning that is sent again', () => {
  const link = (output: readonly Json[], isNative = true): StoredResponse => ({
    ...{ id: 'resp_1', response: { output }, input: [reasoning({ id: 'rs_0', encrypted_content: 'sent' })], isNative },
    maker: { slug: 'main', scope: 'abc' },
  });

  it('names its maker, and is omitted if only its maker could find it', () => {
    const own = reasoning({ id: 'rs_gw_1', encrypted_content: 'gw1.xyz.signature:s' });
    const plain = reasoning({ id: 'rs_gw_2' });
    const output = [reasoning({ id: 'rs_1', encrypted_content: 'e' }), own, plain, reasoning({ id: 'rs_2' })];
    expect(rebuiltInput([link(output)])).toEqual([
      reasoning({ id: 'rs_0', encrypted_content: 'gw1.abc.sent' }),
      reasoning({ id: 'rs_1', encrypted_content: 'gw1.abc.e' }),
      own,
      plain,
    ]);
  });

  it('has no maker if its client sent it to a provider of another format', () => {
    expect(rebuiltInput([link([], false)])).toEqual([reasoning({ id: 'rs_0', encrypted_content: 'sent' })]);
  });
});

describe('a conversation that is too long', () => {
  const item = fc.oneof(
    fc.string().map((content): JsonObject => ({ role: 'user', content })),
    fc.string().map((content): JsonObject => ({ type: 'message', role: 'assistant', content })),
    fc.string().map((content): JsonObject => ({ role: 'developer', content })),
    fc.nat().map((id): JsonObject => ({ type: 'function_call', call_id: String(id), name: 'f', arguments: '{}' })),
    fc.nat().map((id): JsonObject => ({ type: 'function_call_output', call_id: String(id), output: '' })),
  );
  const isUser = (each: JsonObject): boolean => each.role === 'user';

  it('loses its oldest turns as a whole, but never instructions or the last turn', () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 20 }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (items, part) => {
          const left = withoutOldest(items, part) as readonly JsonObject[] | undefined;
          if (left === undefined) return;
          expect(left.length).toBeLessThan(items.length);
          const instructions = (list: readonly JsonObject[]) => list.filter(({ role }) => role === 'developer');
          expect(instructions(left)).toEqual(instructions(items));
          const spoken = left.filter(({ role }) => role !== 'developer');
          const all = items.filter(({ role }) => role !== 'developer');
          expect(spoken).toEqual(all.slice(all.length - spoken.length));
          const [first] = spoken;
          if (first !== undefined) expect(isUser(first)).toBe(true);
          const last = items.findLastIndex(isUser);
          expect(left.slice(-(items.length - last))).toEqual(items.slice(last));
        },
      ),
    );
  });

  const answer = (status: number, error: JsonObject) => ({
    ...{ status, headers: [], origin: 'upstream' as const },
    body: { kind: 'bytes' as const, bytes: Buffer.from(JSON.stringify({ error })) },
  });

  it.each([
    [0.45, 400, { code: 'context_length_exceeded', message: 'maximum context length is 8192 tokens, 16384 resulted.' }],
    [0.9, 400, { message: 'prompt is too long: 200,000 tokens > 200,000 maximum' }, 0.5],
    [0.72, 400, { message: 'The input token count (1250000) exceeds the maximum number of tokens allowed (1000000).' }],
    [0.5, 400, { message: 'Input is too long for requested model.' }],
    [0.85, 400, { message: 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000' }],
    [
      0.74,
      400,
      {
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        code: '3051',
      },
    ],
    [0.59, 400, { message: "This model's maximum prompt length is 131072 but the request contains 200000 tokens." }],
    [
      0.88,
      422,
      {
        message:
          '`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 8000 `inputs` tokens and 1024 `max_new_tokens`',
      },
    ],
    [0.5, 400, { message: 'Invalid request: Your request exceeded model token limit: 8192' }],
    [0.5, 400, { message: 'Range of input length should be [1, 30720]' }],
    [0.5, 400, { message: 'Please reduce the length of the messages or completion.' }],
    [undefined, 400, { message: 'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens' }],
    [
      undefined,
      413,
      { message: 'Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000.' },
    ],
    [undefined, 400, { message: 'The model is not there.' }],
    [undefined, 500, { code: 'context_length_exceeded', message: '' }],
  ])(
    'is recognised by the error of a provider, with the part of it to keep: %s',
    (part, status, error, other = part) => {
      const found = findOverflow(answer(status, error as JsonObject));
      expect(found === undefined ? undefined : Number(found.toFixed(2))).toBe(other);
    },
  );
});
