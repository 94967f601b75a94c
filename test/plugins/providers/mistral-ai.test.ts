import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { mistralAi } from '../../../plugins/providers/mistral-ai/mistral-ai.ts';

describe('mistral-ai', () => {
  it('names the seed, the token limit, a required call and the developer differently', () => {
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
    expect(mistralAi.adapt?.(body, 'chat')).toEqual({
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

  it('changes nothing else', () => {
    const named = { tool_choice: { type: 'function', function: { name: 'f' } }, messages: 'x' };
    expect(mistralAi.adapt?.(named, 'chat')).toEqual(named);
    const embeddings = { input: 'a', seed: 1 };
    expect(mistralAi.adapt?.(embeddings, 'embeddings')).toBe(embeddings);
  });

  it('gets the older name of the token limit in a translated request', () => {
    const conversation = chat.conversation?.decodeRequest(
      { model: 'm', max_completion_tokens: 5, user: 'u', messages: [{ role: 'user', content: 'a' }] },
      { scope: '' },
    );
    if (conversation === undefined) throw expect.unreachable();
    const target = { provider: 'mistral-ai', strict: true, drop: new Set(mistralAi.drop), scope: '' };
    const encoded = chat.conversation?.encodeRequest(conversation, target);
    expect(encoded?.body).toMatchObject({ max_tokens: 5 });
    expect(encoded?.body).not.toHaveProperty('user');
    expect(encoded?.lost).toContain('user');
  });

  it('answers with lists of blocks, whose thinking is reasoning', () => {
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

  it('streams them too', () => {
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
