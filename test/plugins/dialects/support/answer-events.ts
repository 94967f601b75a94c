import type { Answer, AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { Part, ReasoningPart, TextPart } from '../../../../schema/conversation/conversation.ts';

/** Cuts a text into pieces of `size` characters. There is at least one piece. */
const pieces = (text: string, size: number): readonly string[] => text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [''];

type At = { readonly choice: number; readonly block: number };

const textEvents = (part: TextPart, at: At, size: number): readonly AnswerEvent[] => [
  ...pieces(part.text, size).map((text): AnswerEvent => ({ kind: 'text', ...at, text })),
  ...(part.logprobs ?? []).map((logprob): AnswerEvent => ({ kind: 'logprobs', ...at, logprobs: [logprob] })),
  ...(part.citations ?? []).map((citation): AnswerEvent => ({ kind: 'citation', ...at, citation })),
];

/** Returns the events of reasoning. If it is only a bound value or a summary, it has no event for its text. */
const reasoningEvents = ({ text, summary, bound }: ReasoningPart, at: At, size: number): readonly AnswerEvent[] => {
  const isSilent = text === '' && (summary !== undefined || bound?.kind === 'encrypted' || bound?.kind === 'thought');
  const said = isSilent ? [] : pieces(text, size);
  return [
    ...said.map((piece): AnswerEvent => ({ kind: 'reasoning', ...at, text: piece })),
    ...(summary ?? []).flatMap((each, index) =>
      pieces(each, size).map((piece): AnswerEvent => ({ kind: 'reasoning', ...at, summary: { index, text: piece } })),
    ),
    ...(bound === undefined ? [] : [{ kind: 'reasoning' as const, ...at, bound }]),
  ];
};

const partEvents = (part: Part, at: At, size: number): readonly AnswerEvent[] => {
  switch (part.kind) {
    case 'text':
      return textEvents(part, at, size);
    case 'refusal':
      return pieces(part.text, size).map((text) => ({ kind: 'refusal', ...at, text }));
    case 'reasoning':
      return reasoningEvents(part, at, size);
    case 'tool-call': {
      const { arguments: said, ...call } = part;
      return [
        { ...at, ...call },
        ...pieces(said, size).map((text) => ({ kind: 'tool-arguments' as const, ...at, text })),
      ];
    }
    case 'media':
    case 'server-tool-call':
    case 'server-tool-result':
    case 'other':
      return [{ kind: 'part', ...at, part }];
    default:
      return [];
  }
};

/** Returns the events of a part, followed by the end of its block. */
const eventsOfBlock = (part: Part, at: At, size: number): readonly AnswerEvent[] => [
  ...partEvents(part, at, size),
  { kind: 'block-end', ...at },
];

/** Returns the lane of a part: each call has its own, and all parts of any other kind share one. */
const toLane = (part: Part): unknown => (part.kind === 'tool-call' ? part : part.kind);

/** Takes one event of each list at a time. */
const inTurn = (lists: readonly (readonly AnswerEvent[])[]): readonly AnswerEvent[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
};

/** Interleaves the events of the lanes. */
const interleave = (
  parts: readonly Part[],
  toEvents: (part: Part) => readonly AnswerEvent[],
): readonly AnswerEvent[] => {
  const lanes = Map.groupBy(parts, toLane);
  return inTurn([...lanes.values()].map((lane) => lane.flatMap(toEvents)));
};

const choiceEvents = (
  parts: readonly Part[],
  { choice, size, interleaved }: { choice: number; size: number; interleaved: boolean },
): readonly AnswerEvent[] => {
  const blocks = new Map(parts.map((part, block) => [part, block]));
  const toEvents = (part: Part): readonly AnswerEvent[] =>
    eventsOfBlock(part, { choice, block: blocks.get(part) ?? 0 }, size);
  return interleaved ? interleave(parts, toEvents) : parts.flatMap(toEvents);
};

/** Returns the events of a stream that carries the answer. If they are interleaved, so are the choices and their parts. */
export const answerEvents = (
  answer: Answer,
  { size = 4, interleaved = false }: { size?: number; interleaved?: boolean } = {},
): readonly AnswerEvent[] => {
  const choices = answer.choices.map(({ index, parts, finish }): readonly AnswerEvent[] => [
    ...choiceEvents(parts, { choice: index, size, interleaved }),
    { kind: 'finish', choice: index, finish },
  ]);
  return [
    {
      kind: 'start',
      id: answer.id,
      model: answer.model,
      ...(answer.created === undefined ? {} : { created: answer.created }),
    },
    ...(interleaved ? inTurn(choices) : choices.flat()),
    ...(answer.usage === undefined ? [] : [{ kind: 'usage' as const, usage: answer.usage }]),
    { kind: 'end' },
  ];
};
