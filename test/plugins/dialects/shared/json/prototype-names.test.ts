import { describe, expect, it } from 'vitest';
import { cohere } from '../../../../../plugins/dialects/cohere/cohere.ts';
import { defined } from '../../../../../plugins/dialects/shared/json/defined.ts';
import { lookUp } from '../../../../../schema/json/look-up.ts';
import { toConversation, written } from '../../support/both-ways.ts';
import { cohereCodec, converseCodec, messagesCodec } from '../../support/codecs.ts';

const question = [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }] as const;

describe('a name that every JavaScript object has', () => {
  it('is not found in a table that lacks it', () => {
    expect(['low', 'constructor', 'toString', '__proto__'].map((name) => lookUp({ low: 1 }, name))).toEqual([
      1,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['cohere', cohereCodec, 'command-a', { thinking: { type: 'enabled' } }],
    ['messages', messagesCodec, 'claude-sonnet-4-5', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    [
      'converse',
      converseCodec,
      'amazon.nova-2-lite-v1:0',
      { additionalModelRequestFields: { reasoningConfig: { maxReasoningEffort: 'constructor' } } },
    ],
  ])('is an unknown effort in %s', (_id, codec, model, body) => {
    const reasoning = { kind: 'effort', effort: 'constructor' } as const;
    const sampling = { maxTokens: 9000 };
    const request = written(codec, toConversation(question, { model, reasoning, sampling })).body;
    expect(request).toMatchObject(body);
    expect(JSON.stringify(request)).not.toContain('null');
  });

  it('is an unknown media format', () => {
    const image = { image: { format: 'constructor', source: { bytes: 'AAAA' } } };
    const wire = { messages: [{ role: 'user', content: [image] }] };
    const { turns } = converseCodec.decodeRequest(wire, { scope: 'here', model: 'm' });
    expect(turns[0]?.parts[0]).toMatchObject({ source: { mimeType: 'image/constructor' } });
  });

  it('is an unknown parameter', () => {
    expect(cohere.place?.({ constructor: 1 } as { constructor: number & typeof Object }, {})).toEqual({
      constructor: 1,
    });
  });

  it('never becomes a prototype', () => {
    const members = defined(JSON.parse('{"a":1,"__proto__":{"b":2}}') as object);
    expect(Object.getPrototypeOf(members)).toBe(Object.prototype);
    expect(members).toEqual({ a: 1 });
  });
});
