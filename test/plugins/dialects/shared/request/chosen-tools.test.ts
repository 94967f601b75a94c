import { describe, expect, it } from 'vitest';
import type { ConversationCodec, LackedContent } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import {
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  responsesCodec,
} from '../../support/codecs.ts';

const codecs: readonly (readonly [string, ConversationCodec, readonly LackedContent[]])[] = [
  ['chat', chatCodec, []],
  ['chat, at a provider that accepts only functions,', chatCodec, ['custom-tool']],
  ['messages', messagesCodec, []],
  ['responses', responsesCodec, []],
  ['gemini', geminiCodec, []],
  ['cohere', cohereCodec, []],
  ['converse', converseCodec, []],
];

const encode = (codec: ConversationCodec, lacks: readonly LackedContent[], members: JsonObject) =>
  codec.encodeRequest(
    chatCodec.decodeRequest({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...members }, here),
    { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope, lacks: new Set(lacks) },
  );

const named = (name: string, parameters?: JsonObject): JsonObject => ({
  type: 'function',
  function: { name, ...(parameters === undefined ? {} : { parameters }) },
});
const tools = ['mayBeCalled', 'mayNotBeCalled'].map((name) => named(name, { type: 'object' }));

const allowed = (mode: string, names: readonly JsonObject[]): JsonObject => ({
  tools,
  tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: [...names] } },
});

/** Returns all words, of names and of values, in or below members of the given names. */
const wordsIn = (value: Json | undefined, names: ReadonlySet<string>, isInside = false): readonly string[] => {
  if (typeof value === 'string') return isInside ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [
    ...(isInside ? [name] : []),
    ...wordsIn(each, names, isInside || names.has(name)),
  ]);
};

const choices: ReadonlySet<string> = new Set(['tool_choice', 'functionCallingConfig', 'toolChoice']);

describe('a choice among some of the tools', () => {
  it.each(codecs.flatMap((row) => ['auto', 'required'].map((mode) => [...row, mode] as const)))(
    'offers or allows no other tool in %s',
    (_id, codec, lacks, mode) => {
      const { body, lost } = encode(codec, lacks, allowed(mode, [named('mayBeCalled')]));
      const text = JSON.stringify(body);
      expect(text).toContain('mayBeCalled');
      const isListed = wordsIn(body, choices).includes('mayBeCalled');
      if (!isListed) expect(text).not.toContain('mayNotBeCalled');
      if (text.includes('mayNotBeCalled')) expect(lost).not.toContain('tools[1]');
      else expect(lost).toContain('tools[1]');
    },
  );

  it('names the mode alone to a provider that accepts only functions', () => {
    const { body } = encode(chatCodec, ['custom-tool'], allowed('required', [named('mayBeCalled')]));
    expect(body.tool_choice).toBe('required');
  });

  it('keeps a tool of Bedrock beside the tools that may be called', () => {
    const system = { systemTool: { name: 'nova_grounding' } };
    const conversation = chatCodec.decodeRequest(
      { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...allowed('auto', [named('mayBeCalled')]) },
      here,
    );
    const { body } = converseCodec.encodeRequest(
      { ...conversation, tools: [...conversation.tools, { kind: 'other', dialect: 'converse', value: system }] },
      { provider: 'test', strict: true, drop: new Set(), scope: here.scope },
    );
    expect(body.toolConfig).toMatchObject({ tools: [{ toolSpec: { name: 'mayBeCalled' } }, system] });
  });
});

describe("a choice of a provider's own tool", () => {
  const own: readonly (readonly [string, JsonObject])[] = [
    ['one tool', { tool_choice: { type: 'web_search' } }],
    ['some tools', allowed('required', [named('mayBeCalled'), { type: 'mcp', server_label: 's' }])],
  ];

  it.each(
    codecs.filter(([, codec]) => codec !== chatCodec).flatMap((row) => own.map((each) => [...row, ...each] as const)),
  )('forces no call of another tool in %s', (_id, codec, lacks, _what, members) => {
    const { body, lost } = encode(codec, lacks, { tools, ...members });
    expect(wordsIn(body, choices).map((word) => word.toLowerCase())).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:any|required)$/)]),
    );
    expect(lost).toContain('extensions.chat.tool_choice');
  });

  it.each<[string, JsonObject]>([
    ['one tool', { type: 'web_search' }],
    [
      'some tools',
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [{ type: 'function', name: 'mayBeCalled' }, { type: 'web_search' }],
      },
    ],
  ])('forces no call of another tool if a response may use %s', (_what, choice) => {
    const wire = {
      model: 'm',
      input: 'Hi',
      tools: [{ type: 'function', name: 'mayBeCalled', parameters: { type: 'object' } }, { type: 'web_search' }],
      tool_choice: choice,
    };
    expect(responsesCodec.decodeRequest(wire, here).toolChoice).toMatchObject({ mode: 'auto' });
  });
});
