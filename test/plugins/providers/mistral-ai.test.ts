import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { mistralAi } from '../../../plugins/providers/mistral-ai/mistral-ai.ts';
import { readDrop } from '../../../plugins/sdk/provider/read-drop.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

const adapted = (body: JsonObject): JsonObject => mistralAi.adapt?.(body, 'chat', {}) ?? expect.unreachable();

const call = (id: string): JsonObject => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });

const readIds = (body: JsonObject): readonly (readonly Json[])[] => {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : [];
  const calls = messages.flatMap(({ tool_calls: list }) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  return [
    calls.map(({ id }) => id ?? null),
    messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id])),
  ];
};

describe('mistral-ai', () => {
  it('renames the seed, the token limit, a required tool choice and the developer role', () => {
    const body = {
      model: 'm',
      seed: 7,
      max_completion_tokens: 5,
      tool_choice: 'required',
      messages: [
        { role: 'developer', content: 'a' },
        { role: 'user', content: 'b' },
      ],
    };
    expect(mistralAi.adapt?.(body, 'chat', {})).toEqual({
      model: 'm',
      random_seed: 7,
      max_tokens: 5,
      tool_choice: 'any',
      messages: [
        { role: 'system', content: 'a' },
        { role: 'user', content: 'b' },
      ],
    });
  });

  it('sends a refusal among other content as a text', () => {
    const content = [
      { type: 'text', text: 'Well.' },
      { type: 'refusal', refusal: 'No.' },
    ];
    expect(adapted({ messages: [{ role: 'assistant', content }] }).messages).toEqual([
      { role: 'assistant', content: [content[0], { type: 'text', text: 'No.' }] },
    ]);
  });

  it('changes nothing else', () => {
    const named = { tool_choice: { type: 'function', function: { name: 'f' } }, messages: 'x' };
    expect(mistralAi.adapt?.(named, 'chat', {})).toEqual(named);
    const embeddings = { input: 'a', seed: 1 };
    expect(mistralAi.adapt?.(embeddings, 'embeddings', {})).toBe(embeddings);
  });

  it('uses the older name of the token limit in a translated request', () => {
    const conversation = chat.conversation?.decodeRequest(
      { model: 'm', max_completion_tokens: 5, user: 'u', messages: [{ role: 'user', content: 'a' }] },
      { scope: '' },
    );
    if (conversation === undefined) throw expect.unreachable();
    const target = { provider: 'mistral-ai', strict: true, drop: new Set(readDrop(mistralAi, {})), scope: '' };
    const encoded = chat.conversation?.encodeRequest(conversation, target);
    expect(encoded?.body).toMatchObject({ max_tokens: 5 });
    expect(encoded?.body).not.toHaveProperty('user');
    expect(encoded?.lost).toContain('user');
  });

  it('shortens the ids of tool calls to nine letters or digits, equally in a call and its result', () => {
    const ids = ['call_1', 'toolu_01', 'abcDEF123', 'call_1'];
    const body = {
      messages: [
        { role: 'assistant', content: null, tool_calls: ids.slice(0, 3).map(call) },
        ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'r' })),
      ],
    };
    const [calls = [], results = []] = readIds(adapted(body));
    expect(results).toEqual([...calls, calls[0]]);
    expect(calls[2]).toBe('abcDEF123');
    expect(new Set(calls).size).toBe(3);
    for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(adapted(body)).toEqual(adapted(body));
  });

  it('never maps two tool calls to the same id', () => {
    const [[taken]] = readIds(adapted({ messages: [{ role: 'assistant', tool_calls: [call('call_1')] }] })) as [
      [string],
    ];
    const both = { messages: [{ role: 'assistant', tool_calls: [call('call_1'), call(taken)] }] };
    const [calls = []] = readIds(adapted(both));
    expect(calls[1]).toBe(taken);
    expect(calls[0]).not.toBe(taken);
  });

  it('drops stream options, also from clients of its own dialect, because every stream reports usage', () => {
    expect(adapted({ model: 'm', stream: true, stream_options: { include_usage: true } })).toEqual({
      model: 'm',
      stream: true,
    });
    expect(mistralAi.adaptsOwn).toContain('chat');
    expect(readDrop(mistralAi, {})).not.toContain('stream_options');
  });

  it('sends a file as a document URL, and audio without its format', () => {
    const content = [
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'mp3' } },
      { type: 'text', text: 'a' },
    ];
    expect(adapted({ messages: [{ role: 'user', content }] }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'document_url', document_url: 'data:application/pdf;base64,AA==', document_name: 'a.pdf' },
          { type: 'input_audio', input_audio: 'AA==' },
          { type: 'text', text: 'a' },
        ],
      },
    ]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'thinking',
      { content: '4', reasoning_content: 'hm', refusal: null, annotations: [], parsed: null },
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }], closed: true },
          { type: 'text', text: '4' },
        ],
      },
    ],
    [
      'thinking before a tool call',
      { content: null, reasoning_content: 'hm', tool_calls: [call('abcDEF123')] },
      {
        content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }], closed: true }],
        tool_calls: [call('abcDEF123')],
      },
    ],
    ['a refusal', { content: null, refusal: 'No.' }, { content: 'No.' }],
    ['empty thinking', { content: 'a', reasoning_content: '' }, { content: 'a' }],
    [
      'its own parts',
      { content: [{ type: 'thinking', thinking: [] }] },
      { content: [{ type: 'thinking', thinking: [] }] },
    ],
  ])('restores a message as the model wrote it from what clients keep: %s', (_, message, expected) => {
    expect(adapted({ messages: [{ role: 'assistant', ...message }] }).messages).toEqual([
      { role: 'assistant', ...expected },
    ]);
    const said = { role: 'user', content: 'a', name: 'n' };
    expect(adapted({ messages: [said] }).messages).toEqual([said]);
  });

  it('decodes thinking blocks in answers as reasoning', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: '4' },
    ];
    const answer = chat.conversation?.decodeAnswer(
      {
        id: 'a',
        model: 'magistral',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      },
      { scope: 's' },
    );
    expect(answer?.choices[0]?.parts).toMatchObject([
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: '4' },
    ]);
  });

  it('decodes thinking blocks in streams as reasoning', () => {
    const decoder = chat.conversation?.streamDecoder({ scope: 's' });
    const frame = (delta: object, finish: string | null = null) => ({
      data: JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] }),
    });
    const frames = [
      frame({ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
      frame({ content: [{ type: 'text', text: '4' }] }),
      frame({ content: '' }, 'stop'),
    ];
    const events = frames.flatMap((each) => decoder?.push(each) ?? []);
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'reasoning', text: 'hm' }),
        expect.objectContaining({ kind: 'text', text: '4' }),
      ]),
    );
  });
});
