import { describe, expect, it } from 'vitest';
import { type ClaudeThinking, claudeThinking } from '../../../../../plugins/dialects/shared/claude/claude-thinking.ts';
import type {
  BoundValue,
  Conversation,
  ReasoningRequest,
  Turn,
} from '../../../../../schema/conversation/conversation.ts';
import { toConversation } from '../../support/both-ways.ts';

const asked = (
  model: string,
  reasoning: ReasoningRequest,
  turns: readonly Turn[] = [],
  more: Partial<Conversation> = {},
): readonly [ClaudeThinking, readonly string[]] => {
  const lost: string[] = [];
  const conversation = { ...toConversation(turns, { model }), sampling: {}, reasoning, ...more };
  return [claudeThinking(conversation, { lost, scope: 'here' }), lost];
};

const adaptive = (effort: string): ClaudeThinking => ({ thinking: { type: 'adaptive' }, effort });
const budget = (tokens: number): ClaudeThinking => ({
  thinking: { type: 'enabled', budget_tokens: tokens },
  budget: tokens,
});

const changed = ['reasoning'];

describe('the thinking of a Claude model', () => {
  it.each<[string, number, ClaudeThinking]>([
    ['claude-opus-4-7', 1024, adaptive('low')],
    ['us.anthropic.claude-opus-4-8-v1:0', 8000, adaptive('medium')],
    ['claude-fable-5', 30_000, adaptive('high')],
    ['claude-3-5-haiku-latest', 2000, {}],
  ])('for %s has no budget, so %i tokens are reported as changed', (model, tokens, expected) => {
    expect(asked(model, { kind: 'budget', tokens })).toEqual([expected, changed]);
  });

  it.each(['claude-opus-4-6', 'claude-sonnet-4-6', 'claude-haiku-4-5', 'claude-opus-4-20250514', 'my-deployment'])(
    'for %s has the requested budget',
    (model) => {
      expect(asked(model, { kind: 'budget', tokens: 2000 })).toEqual([budget(2000), []]);
    },
  );

  it.each<[number, number | undefined, ClaudeThinking]>([
    [8192, 4096, budget(4095)],
    [8192, 9000, budget(8192)],
    [8192, 1024, {}],
    [512, undefined, budget(1024)],
    [512, 2000, budget(1024)],
    [60_000, undefined, budget(64_000 - 8192)],
  ])(
    'has %i tokens as a budget within what the API accepts next to %s tokens of an answer',
    (tokens, maxTokens, expected) => {
      const sampling = maxTokens === undefined ? {} : { maxTokens };
      const isKept = expected.budget === tokens;
      const [thinking, lost] = asked('claude-sonnet-4-5', { kind: 'budget', tokens }, [], { sampling });
      expect([thinking, lost]).toEqual([expected, isKept ? [] : changed]);
    },
  );

  it('is adaptive if the model supports that, and otherwise has a budget or is omitted', () => {
    expect(asked('claude-opus-5', { kind: 'adaptive' })).toEqual([{ thinking: { type: 'adaptive' } }, []]);
    expect(asked('claude-haiku-4-5', { kind: 'adaptive' })).toEqual([budget(8192), changed]);
    expect(asked('claude-3-5-haiku-latest', { kind: 'adaptive' })).toEqual([{}, changed]);
  });

  it('has the next effort if the model does not support the requested one', () => {
    expect(asked('claude-opus-4-6', { kind: 'effort', effort: 'xhigh' })).toEqual([adaptive('max'), changed]);
    expect(asked('us.anthropic.claude-sonnet-4-6', { kind: 'effort', effort: 'max' })).toEqual([adaptive('max'), []]);
    expect(asked('claude-opus-4-7', { kind: 'effort', effort: 'xhigh' })).toEqual([adaptive('xhigh'), []]);
  });

  it('is turned off if possible, and otherwise has a low effort', () => {
    expect(asked('claude-opus-5', { kind: 'off' })).toEqual([{ thinking: { type: 'disabled' } }, []]);
    expect(asked('claude-mythos-5', { kind: 'off' })).toEqual([{ effort: 'low' }, changed]);
    expect(asked('claude-opus-5-5', { kind: 'effort', effort: 'none' })).toEqual([{ effort: 'low' }, changed]);
  });
});

describe('a request that forces a call', () => {
  const tools: Conversation['tools'] = [{ kind: 'function', name: 'f' }];

  it('asks for no thinking, which the API rejects together with a forced call', () => {
    for (const toolChoice of [{ mode: 'required' }, { mode: 'tool', name: 'f' }] as const) {
      const forced = (model: string, reasoning: ReasoningRequest) => asked(model, reasoning, [], { tools, toolChoice });
      expect(forced('claude-opus-4-7', { kind: 'effort', effort: 'high' })).toEqual([{}, changed]);
      expect(forced('claude-opus-4-6', { kind: 'adaptive' })).toEqual([{}, changed]);
      expect(forced('claude-sonnet-4-5', { kind: 'budget', tokens: 2000 })).toEqual([{}, changed]);
      expect(forced('claude-opus-4-6', { kind: 'off' })).toEqual([{ thinking: { type: 'disabled' } }, []]);
    }
  });

  it('may ask for thinking if the choice is not sent or leaves the decision to the model', () => {
    const effort: ReasoningRequest = { kind: 'effort', effort: 'high' };
    const toolChoice = { mode: 'required' } as const;
    expect(asked('claude-opus-4-7', effort, [], { toolChoice })).toEqual([adaptive('high'), []]);
    for (const mode of ['auto', 'none'] as const)
      expect(asked('claude-opus-4-7', effort, [], { tools, toolChoice: { mode } })).toEqual([adaptive('high'), []]);
  });
});

describe('a turn that continues after results', () => {
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
  const tokens: ReasoningRequest = { kind: 'budget', tokens: 2000 };

  it('has a thinking budget only if it started with thinking of the same service', () => {
    expect(asked('claude-opus-4-5', tokens, resumed(bound))).toEqual([budget(2000), []]);
    for (const other of [undefined, { ...bound, scope: 'there' }, { ...bound, kind: 'thought' as const }])
      for (const reasoning of [tokens, { kind: 'adaptive' }, { kind: 'effort', effort: 'low' }] as const)
        expect(asked('claude-opus-4-5', reasoning, resumed(other))).toEqual([{}, changed]);
  });

  it('lasts until the model says something, even if user text joins the message of the results', () => {
    const followedBy = (turn: Turn): readonly Turn[] => [...resumed(undefined), turn];
    for (const parts of [[], [{ kind: 'text', text: 'And now?' }]] as const)
      expect(asked('claude-opus-4-5', tokens, followedBy({ role: 'user', parts }))).toEqual([{}, changed]);
    for (const parts of [[], [{ kind: 'text', text: '' }], [{ kind: 'reasoning', text: 'Hm.' }]] as const)
      expect(asked('claude-opus-4-5', tokens, followedBy({ role: 'assistant', parts }))).toEqual([{}, changed]);
    const unasked: Turn = { role: 'tool', parts: [{ kind: 'tool-result', id: 'a', parts: [] }] };
    expect(asked('claude-opus-4-5', tokens, [unasked])).toEqual([{}, changed]);
    const answered = followedBy({ role: 'assistant', parts: [{ kind: 'text', text: 'Done.' }] });
    expect(asked('claude-opus-4-5', tokens, answered)).toEqual([budget(2000), []]);
  });

  it('may have thinking without a budget, whatever it started with', () => {
    expect(asked('claude-opus-4-6', { kind: 'adaptive' }, resumed(undefined))).toEqual([
      { thinking: { type: 'adaptive' } },
      [],
    ]);
  });
});
