import { describe, expect, it } from 'vitest';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { defineGuardrail, type Guardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { answerEvents } from '../../../plugins/dialects/support/answer-events.ts';
import { toAnswer } from '../../../plugins/dialects/support/both-ways.ts';
import { here } from '../../../plugins/dialects/support/codecs.ts';
import { pairs, runStream, toBytes, toFrames } from './kit.ts';

const secret = 'ann@example.org';
const id = '1234567890123456789';
const conversing = pairs.filter(({ client }) => client.conversation !== undefined);

/** Hides a secret, and records what it was shown of the answer. */
const hiding = (shown: Json[]): Guardrail =>
  defineGuardrail({
    id: 'test.hide',
    parameters: { type: 'object' },
    rewrites: () => true,
    create:
      () =>
      ({ spans, answer }) => {
        shown.push(answer ?? null);
        const replace = spans.flatMap(({ text }, span) => {
          const from = text.indexOf(secret);
          return from === -1 ? [] : [{ span, from, to: from + secret.length, with: '***' }];
        });
        return { pass: true, data: {}, replace };
      },
  });

describe('a tool call with a 64-bit id in a stream that a check changes', () => {
  it.each(conversing)('keeps its digits, while the check sees numbers: $name', async ({ client, upstream }) => {
    const shown: Json[] = [];
    const text = `{"to":"${secret}","id":${id},"in":[{"id":-${id}}]}`;
    const answer = toAnswer([{ kind: 'tool-call', id: 'c1', name: 'tell', arguments: text }]);
    const { status, frames } = await runStream({
      client,
      upstream,
      chunks: [toBytes(upstream, toFrames(upstream, answerEvents(answer)))],
      guardrails: [hiding(shown)],
      config: { output_guardrails: [{ 'test.hide': {} }] },
    });
    expect(status).toBe(200);
    const decoder = findAnswerCodec(client)?.streamDecoder(here) ?? expect.unreachable();
    const heard = foldAnswer([...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()]);
    expect(heard.choices[0]?.parts).toMatchObject([{ arguments: text.replace(secret, '***') }]);
    // What a separate thread would receive.
    expect(JSON.stringify(structuredClone(shown))).not.toContain('rawJSON');
  });
});
