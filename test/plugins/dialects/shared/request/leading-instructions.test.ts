import { describe, expect, it } from 'vitest';
import type { ConversationCodec } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { Conversation, Turn } from '../../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import {
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  requestVia,
  responsesCodec,
} from '../../support/codecs.ts';

const developer = { role: 'developer', content: 'Be brief.' };
const system = { role: 'system', content: 'Be kind.' };
const user = { role: 'user', content: 'Hi' };

const instructed = (...messages: readonly JsonObject[]): JsonObject => ({ model: 'm', max_tokens: 9, messages });

/** The system prompt of each format: how it is read from a body, and its expected value. */
const prompts: readonly (readonly [string, ConversationCodec, (body: JsonObject) => unknown, unknown])[] = [
  ['messages', messagesCodec, ({ system: said }) => said, [{ type: 'text', text: 'Be brief.' }]],
  ['gemini', geminiCodec, (body) => body.systemInstruction, { parts: [{ text: 'Be brief.' }] }],
  ['converse', converseCodec, (body) => body.system, [{ text: 'Be brief.' }]],
  ['responses', responsesCodec, (body) => body.instructions, 'Be brief.'],
  [
    'cohere',
    cohereCodec,
    ({ messages }) => (Array.isArray(messages) ? messages[0] : undefined),
    { ...system, content: 'Be brief.' },
  ],
];

describe.each([
  ['chat', chatCodec],
  ['cohere', cohereCodec],
])('a developer message before all others in a %s request', (_id, from) => {
  it.each(prompts)('becomes the system prompt of a %s provider without loss', (_to, to, readPrompt, expected) => {
    const { body, lost } = requestVia(from, to, instructed(developer, user));
    expect(readPrompt(body)).toEqual(expected);
    expect(lost).toEqual([]);
  });

  it('is read in order with system messages', () => {
    const { system: read, turns } = from.decodeRequest(instructed(developer, system, user), here);
    expect(read.map(({ text }) => text)).toEqual(['Be brief.', 'Be kind.']);
    expect(turns.map(({ role }) => role)).toEqual(['user']);
  });

  it('is a turn if the request has no other message, because providers require one', () => {
    const { system: read, turns } = from.decodeRequest(instructed(developer), here);
    expect([read, turns.map(({ role }) => role)]).toEqual([[], ['developer']]);
  });
});

describe('a request that has only system instructions', () => {
  it.each<[string, ConversationCodec, JsonObject]>([
    ['messages', messagesCodec, { messages: [{ role: 'user', content: [{ type: 'text', text: 'Be kind.' }] }] }],
    ['gemini', geminiCodec, { contents: [{ role: 'user', parts: [{ text: 'Be kind.' }] }] }],
    ['converse', converseCodec, { messages: [{ role: 'user', content: [{ text: 'Be kind.' }] }] }],
  ])('is sent as a user message to a %s provider, which requires one', (_id, to, said) => {
    const { body, lost } = requestVia(chatCodec, to, instructed(system));
    expect(body).toMatchObject(said);
    expect(body).not.toHaveProperty(to === geminiCodec ? 'systemInstruction' : 'system');
    expect(lost).toEqual(['system', 'turns']);
  });
});

describe('instruction turns before the first turn with other content', () => {
  const said = (role: Turn['role'], text: string): Turn => ({ role, parts: [{ kind: 'text', text }] });
  const conversation: Conversation = {
    system: [],
    turns: [said('developer', 'Be brief.'), said('user', 'Hi')],
    tools: [],
    sampling: {},
    stream: false,
    extensions: {},
  };
  const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };

  it.each(prompts.filter(([id]) => id === 'gemini' || id === 'converse'))(
    'become the system prompt of a %s provider, and the change is reported',
    (_id, codec, readPrompt, expected) => {
      const { body, lost } = codec.encodeRequest(conversation, target);
      expect(readPrompt(body)).toEqual(expected);
      expect(lost).toEqual(['system', 'turns[0]']);
    },
  );
});
