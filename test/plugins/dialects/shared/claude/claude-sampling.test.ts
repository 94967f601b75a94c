import { describe, expect, it } from 'vitest';
import type { ConversationCodec } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { Conversation, Sampling } from '../../../../../schema/conversation/conversation.ts';
import { toConversation, written } from '../../support/both-ways.ts';
import { converseCodec, messagesCodec } from '../../support/codecs.ts';

const sent = (
  codec: ConversationCodec,
  model: string,
  sampling: Sampling,
  more: Partial<Conversation> = {},
): readonly [object, readonly string[]] => {
  const turns = [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }] as const;
  const all = { maxTokens: 100, ...sampling };
  const { body, lost } = written(codec, toConversation(turns, { model, sampling: all, ...more }));
  const config = codec === converseCodec ? { ...(body.inferenceConfig as object) } : body;
  const { temperature, top_p, topP } = config as { temperature?: number; top_p?: number; topP?: number };
  const { top_k } = (codec === converseCodec ? (body.additionalModelRequestFields ?? {}) : body) as { top_k?: number };
  const members = { temperature, topP: topP ?? top_p, topK: top_k };
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  return [Object.fromEntries(known), lost.filter((path) => path.startsWith('sampling.'))];
};

const thinking = { reasoning: { kind: 'adaptive' } } as const;
const [heat, topP, topK] = ['sampling.temperature', 'sampling.topP', 'sampling.topK'];

describe.each([
  ['messages', messagesCodec, ''],
  ['converse', converseCodec, 'us.anthropic.'],
])('the sampling of a Claude model in a %s request', (_, codec, prefix) => {
  it.each<[string, Sampling, Partial<Conversation>, Sampling, readonly string[]]>([
    ['claude-sonnet-4-5', { temperature: 0.3, topK: 5 }, {}, { temperature: 0.3, topK: 5 }, []],
    ['claude-sonnet-4-5', { temperature: 0.3, topP: 0.5 }, {}, { temperature: 0.3 }, [topP]],
    ['claude-opus-4-6', { temperature: 1.5 }, {}, { temperature: 1 }, [heat]],
    ['claude-opus-4-6', { temperature: -0.5 }, {}, { temperature: 0 }, [heat]],
    ['claude-opus-4-6', { temperature: -0.5 }, thinking, {}, [heat]],
    ['claude-opus-4-6', { temperature: 0.3, topK: 5 }, thinking, {}, [heat, topK]],
    ['claude-opus-4-6', { temperature: 0.3, topP: 0.97 }, thinking, { topP: 0.97 }, [heat]],
    ['claude-opus-4-6', { topP: 0.5 }, thinking, {}, [topP]],
    ['claude-opus-4-6', { temperature: 1 }, thinking, { temperature: 1 }, []],
    ['claude-opus-4-6', { temperature: 0.3 }, { reasoning: { kind: 'off' } }, { temperature: 0.3 }, []],
    ['claude-opus-4-7', { temperature: 0.3, topP: 1, topK: 5 }, {}, {}, [heat, topP, topK]],
    ['claude-opus-5', { temperature: 1 }, {}, { temperature: 1 }, []],
    ['claude-fable-5', { topP: 0.97 }, thinking, {}, [topP]],
  ])('is what %s accepts of %j together with %j', (model, asked, more, expected, lost) => {
    expect(sent(codec, `${prefix}${model}`, asked, more)).toEqual([expected, lost]);
  });
});

describe('the stop sequences of a Claude model', () => {
  const turns = [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }] as const;
  const asked = (codec: ConversationCodec, model: string, stop: readonly string[]) =>
    written(codec, toConversation(turns, { model, sampling: { maxTokens: 9, stop } }));

  it('omit blank sequences, which the API rejects', () => {
    const some = asked(messagesCodec, 'claude-opus-5', ['\n', 'END']);
    expect([some.body.stop_sequences, some.lost]).toEqual([['END'], ['sampling.stop']]);
    const none = asked(converseCodec, 'us.anthropic.claude-opus-5', ['\n\n']);
    expect([none.body.inferenceConfig, none.lost]).toEqual([{ maxTokens: 9 }, ['sampling.stop']]);
    const other = asked(converseCodec, 'meta.llama3-3-70b-instruct-v1:0', ['\n']);
    expect([other.body.inferenceConfig, other.lost]).toEqual([{ maxTokens: 9, stopSequences: ['\n'] }, []]);
  });
});

describe('the sampling of a model whose name does not identify a newer Claude model', () => {
  it('is sent unchanged', () => {
    for (const model of ['my-deployment', 'our-claude', 'claude-sonnet-4.5'])
      expect(sent(messagesCodec, model, { temperature: 0.3, topK: 5 })).toEqual([{ temperature: 0.3, topK: 5 }, []]);
    expect(sent(converseCodec, 'mistral.mistral-large', { temperature: 0.3, topP: 0.5, topK: 5 })).toEqual([
      { temperature: 0.3, topP: 0.5, topK: 5 },
      [],
    ]);
  });
});
