import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../../schema/conversation/conversation.ts';
import { toConversation, written } from '../../support/both-ways.ts';
import { chatCodec, responsesCodec } from '../../support/codecs.ts';

const turns = [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }] as const;

const asked = (model: string, more: Partial<Conversation> = {}): Conversation =>
  toConversation(turns, {
    model,
    sampling: { temperature: 0.2, topP: 0.9, stop: ['END'], presencePenalty: 1, seed: 3 },
    logprobs: { top: 2 },
    ...more,
  });

const effort = (name: string): Partial<Conversation> => ({ reasoning: { kind: 'effort', effort: name } });

const members = ['temperature', 'top_p', 'stop', 'presence_penalty', 'logprobs', 'top_logprobs', 'include'];
const sentOf = (body: object): readonly string[] => members.filter((name) => name in body);

const lost = [
  'sampling.temperature',
  'sampling.topP',
  'sampling.presencePenalty',
  'sampling.stop',
  'logprobs',
].toSorted();

describe('the sampling for an OpenAI model', () => {
  it.each<[string, Partial<Conversation>]>([
    ['gpt-5', {}],
    ['gpt-5-mini-2025-08-07', {}],
    ['openai/o4-mini', {}],
    ['o3', {}],
    ['gpt-5.2', effort('high')],
  ])('is omitted for %s, which reasons', (model, more) => {
    const chat = written(chatCodec, asked(model, more));
    expect([sentOf(chat.body), chat.lost.toSorted()]).toEqual([[], lost]);
    expect(chat.body.seed).toBe(3);
    const responses = written(responsesCodec, asked(model, more));
    expect(sentOf(responses.body)).toEqual(['include']);
    expect(responses.body.include).toEqual(['reasoning.encrypted_content']);
    expect(responses.lost).toEqual(expect.arrayContaining(lost));
  });

  it.each<[string, Partial<Conversation>]>([
    ['gpt-4o', {}],
    ['gpt-5-chat-latest', {}],
    ['gpt-5.2', effort('none')],
    ['gpt-5.2', {}],
    ['my-o3-like', {}],
  ])('is sent to %s', (model, more) => {
    const { body, lost: none } = written(chatCodec, asked(model, more));
    expect(sentOf(body)).toEqual(members.slice(0, -1));
    expect(none).toEqual([]);
  });

  it('may include the default temperature for a reasoning model', () => {
    const { body, lost: none } = written(
      chatCodec,
      toConversation(turns, { model: 'gpt-5', sampling: { temperature: 1 } }),
    );
    expect([body.temperature, none]).toEqual([1, []]);
  });
});
