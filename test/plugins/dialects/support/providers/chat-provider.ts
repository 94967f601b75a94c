import type { Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { type Provider, pieces, type Said, type Script, toArguments, withNoise } from './script.ts';

const base = { id: 'c1', created: 1, model: 'm' };

const chunk = (delta: JsonObject, finish: string | null = null): Frame => ({
  data: JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] }),
});

const usage = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 };
const page = { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A' } };

/** The member of a message that contains each kind of text. */
const textMembers = { text: 'content', thinking: 'reasoning_content', refusal: 'refusal' } as const;
type TextKind = keyof typeof textMembers;
const isText = (kind: string): kind is TextKind => Object.hasOwn(textMembers, kind);

const callsOf = ({ said }: Script): readonly Said[] => said.filter(({ kind }) => kind === 'call' || kind === 'custom');

const toCall = (said: Said, index: number): JsonObject =>
  said.kind === 'custom'
    ? { id: `call_${index}`, type: 'custom', custom: { name: 'g', input: said.text } }
    : { id: `call_${index}`, type: 'function', function: { name: 'f', arguments: toArguments(said) } };

const callChunks = (said: Said, index: number): readonly Frame[] => {
  const [member, name, text] =
    said.kind === 'custom' ? ['custom', 'g', said.text] : ['function', 'f', toArguments(said)];
  const piece = said.kind === 'custom' ? 'input' : 'arguments';
  return [
    chunk({ tool_calls: [{ index, id: `call_${index}`, type: member, [member]: { name, [piece]: '' } }] }),
    ...pieces({ ...said, text }).map((each) => chunk({ tool_calls: [{ index, [member]: { [piece]: each } }] })),
  ];
};

/** A whole message has no order. In a stream, thinking comes first and a refusal comes last. */
const toPlace = ({ kind }: Said): number => (kind === 'thinking' ? 0 : kind === 'refusal' ? 2 : 1);

/** Interleaves the frames of consecutive calls. */
const callsInTurns = (lists: readonly (readonly Frame[])[]): readonly Frame[] =>
  [0, 1, 2].flatMap((at) => lists.flatMap((list) => list[at] ?? []));

const message = (script: Script): JsonObject => {
  const joined = (wanted: TextKind): Json =>
    script.said.map(({ kind, text }) => (kind === wanted ? text : '')).join('') || null;
  const calls = callsOf(script).map(toCall);
  const isCited = script.said.some(({ kind }) => kind === 'cited');
  return {
    role: 'assistant',
    ...Object.fromEntries(Object.entries(textMembers).map(([kind, name]) => [name, joined(kind as TextKind)])),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(isCited ? { annotations: [page] } : {}),
  };
};

/** https://platform.openai.com/docs/api-reference/chat-streaming; reasoning as DeepSeek has it. */
export const chatProvider: Provider = {
  kinds: ['text', 'thinking', 'refusal', 'call', 'custom', 'cited'],
  write(script) {
    const calls = callsOf(script);
    const finish = script.isCutShort ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
    const ordered = script.said.toSorted((a, b) => toPlace(a) - toPlace(b));
    const cited = ordered.findIndex(({ kind }) => kind === 'cited');
    const frames = [
      chunk({ role: 'assistant', content: '' }),
      ...ordered.flatMap((said, at) => {
        if (isText(said.kind))
          return pieces(said).map((piece) => chunk({ [textMembers[said.kind as TextKind]]: piece }));
        return at === cited ? [chunk({ annotations: [page] })] : [];
      }),
      ...callsInTurns(calls.map(callChunks)),
      chunk({}, finish),
      { data: JSON.stringify({ ...base, choices: [], usage }) },
      { data: '[DONE]' },
    ];
    const others = [chunk({}), chunk({ content: '' }), chunk({ content: null, tool_calls: null })];
    return {
      whole: { ...base, choices: [{ index: 0, message: message(script), finish_reason: finish }], usage },
      frames: withNoise(frames, script, [...others, { data: JSON.stringify({ ...base, choices: [] }) }]),
    };
  },
};
