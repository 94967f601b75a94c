import { describe, expect, it } from 'vitest';
import type { Part, Turn } from '../../../../../schema/conversation/conversation.ts';
import { toObjects } from '../../../../../schema/json/loose.ts';
import { toConversation, written } from '../../support/both-ways.ts';
import { converseCodec, messagesCodec } from '../../support/codecs.ts';

const model = 'anthropic.claude-sonnet-4-5';
const thought = (value: string): Part => ({
  kind: 'reasoning',
  text: 'Hm.',
  bound: { scope: 'here', kind: 'signature', value },
});
const text = (words: string): Part => ({ kind: 'text', text: words });
const turn = (role: Turn['role'], ...parts: readonly Part[]): Turn => ({ role, parts });
const question = turn('user', text('Why?'));

describe.each([
  ['messages', messagesCodec],
  ['converse', converseCodec],
])('an answer from Claude that was cut off while reasoning, in a %s request', (_id, codec) => {
  const write = (turns: readonly Turn[]) => {
    const { body, lost } = written(codec, toConversation(turns, { model }));
    return { said: toObjects(body.messages).map(({ role, content }) => `${role} ${toObjects(content).length}`), lost };
  };

  it('is omitted, because no message may end with reasoning', () => {
    expect(write([question, turn('assistant', thought('a')), turn('user', text('Go on.'))])).toEqual({
      said: ['user 2'],
      lost: ['turns[1].parts[0].reasoning', 'turns[1]', 'turns[2]'],
    });
  });

  it('keeps the content before that reasoning', () => {
    const parts = [thought('a'), text('So.'), thought('b'), text(' ')];
    const { said, lost } = write([question, turn('assistant', ...parts), question]);
    expect(said).toEqual(['user 1', 'assistant 2', 'user 1']);
    expect(lost).toEqual(['turns[1].parts[2].reasoning', 'turns[1].parts[3].text']);
  });

  it('is omitted before parts of another format, which are omitted, too', () => {
    const value = { type: 'server_tool_use', id: 's', name: 'code_execution', input: {} };
    const place = { id: 's', name: 'code_execution', dialect: 'elsewhere', value };
    const call: Part = { kind: 'server-tool-call', arguments: '{}', ...place };
    const result: Part = { kind: 'server-tool-result', text: ' ', ...place };
    const other: Part = { kind: 'other', dialect: 'elsewhere', value };
    expect(write([question, turn('assistant', thought('a'), call, result, other), question])).toEqual({
      said: ['user 2'],
      lost: [
        ...['reasoning', 'server-tool-call', 'server-tool-result', 'other'].map(
          (kind, at) => `turns[1].parts[${at}].${kind}`,
        ),
        ...['turns[1]', 'turns[2]'],
      ],
    });
  });

  it.each<[string, Part]>([
    ['audio', { kind: 'media', media: 'audio', source: { kind: 'base64', mimeType: 'audio/wav', data: 'UklGRgAA' } }],
    ['a file of another vendor', { kind: 'media', media: 'image', source: { kind: 'file', id: 'elsewhere' } }],
    ['an empty refusal', { kind: 'refusal', text: '' }],
  ])('is omitted before %s, which is omitted, too', (_what, part) => {
    const other: Part = { kind: 'other', dialect: 'elsewhere', value: {} };
    expect(write([question, turn('assistant', thought('a'), part, other), question])).toEqual({
      said: ['user 2'],
      lost: [
        ...['reasoning', part.kind, 'other'].map((kind, at) => `turns[1].parts[${at}].${kind}`),
        ...['turns[1]', 'turns[2]'],
      ],
    });
  });

  it('keeps its reasoning if the model continues in the next turn', () => {
    const { said, lost } = write([question, turn('assistant', thought('a')), turn('assistant', text('So.')), question]);
    expect(said).toEqual(['user 1', 'assistant 2', 'user 1']);
    expect(lost).toEqual(['turns[2]']);
  });
});

it('sends reasoning at the end to other models of Bedrock', () => {
  const turns = [question, turn('assistant', thought('a')), question];
  const { body } = written(converseCodec, toConversation(turns, { model: 'deepseek.r1-v1:0' }));
  expect(body.messages).toMatchObject([{}, { role: 'assistant', content: [{ reasoningContent: {} }] }, {}]);
});
