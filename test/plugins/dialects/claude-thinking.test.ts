import { describe, expect, it } from 'vitest';
import { claudeThinking } from '../../../plugins/dialects/wire/claude-thinking.ts';
import type { BoundValue, Conversation, ReasoningRequest, Turn } from '../../../schema/conversation.ts';

const ask = (model: string, reasoning: ReasoningRequest, turns: readonly Turn[] = []) => {
  const lost: string[] = [];
  const conversation: Conversation = {
    model,
    system: [],
    turns,
    tools: [],
    sampling: {},
    stream: false,
    reasoning,
    extensions: {},
  };
  const { thinking } = claudeThinking(conversation, { lost, scope: 'here' });
  return { thinking, lost };
};

const budget: ReasoningRequest = { kind: 'budget', tokens: 2000 };
const adaptive: ReasoningRequest = { kind: 'adaptive' };
const enabled = (tokens: number): object => ({ type: 'enabled', budget_tokens: tokens });

describe('a Claude model', () => {
  it.each(['claude-opus-4-7', 'us.anthropic.claude-opus-4-7-v1', 'claude-opus-5', 'claude-fable-5'])(
    'that takes no budget, %s, chooses itself how long it thinks',
    (model) => expect(ask(model, budget)).toEqual({ thinking: { type: 'adaptive' }, lost: ['reasoning'] }),
  );

  it.each(['claude-opus-4-6', 'claude-sonnet-4-6'])('that takes both, %s, is asked as the client asks', (model) => {
    expect(ask(model, budget)).toEqual({ thinking: enabled(2000), lost: [] });
    expect(ask(model, adaptive)).toEqual({ thinking: { type: 'adaptive' }, lost: [] });
  });

  it.each(['claude-opus-4-5', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-3-7-sonnet-latest'])(
    'that takes only a budget, %s, gets one',
    (model) => {
      expect(ask(model, budget)).toEqual({ thinking: enabled(2000), lost: [] });
      expect(ask(model, adaptive)).toEqual({ thinking: enabled(16_384), lost: ['reasoning'] });
    },
  );

  it('that cannot think is not asked to', () => {
    for (const reasoning of [budget, adaptive])
      expect(ask('claude-3-5-haiku-latest', reasoning)).toEqual({ thinking: undefined, lost: ['reasoning'] });
  });
});

describe('a turn that goes on after results', () => {
  const resumed = (bound: BoundValue | undefined): readonly Turn[] => [
    { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
    {
      role: 'assistant',
      parts: [
        { kind: 'reasoning', text: 'Hm.', ...(bound === undefined ? {} : { bound }) },
        { kind: 'tool-call', id: 'a', name: 'f', arguments: '{}' },
      ],
    },
    { role: 'tool', parts: [{ kind: 'tool-result', id: 'a', parts: [] }] },
  ];
  const bound = { scope: 'here', kind: 'signature', value: 's' } as const;

  it('is thought about with a budget only if it began with thinking of the same service', () => {
    expect(ask('claude-opus-4-5', budget, resumed(bound)).thinking).toEqual(enabled(2000));
    for (const other of [undefined, { ...bound, scope: 'there' }, { ...bound, kind: 'thought' as const }])
      for (const reasoning of [budget, adaptive, { kind: 'effort', effort: 'low' } as const])
        expect(ask('claude-opus-4-5', reasoning, resumed(other))).toEqual({ thinking: undefined, lost: ['reasoning'] });
  });

  it('is thought about without a budget whoever began it', () => {
    expect(ask('claude-opus-4-6', adaptive, resumed(undefined)).thinking).toEqual({ type: 'adaptive' });
  });
});
