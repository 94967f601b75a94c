import type { Answer, AnswerEvent, Part } from '../../../schema/conversation.ts';

/** A text cut into pieces of `size`, at least one. */
const pieces = (text: string, size: number): readonly string[] => text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [''];

const partEvents = (part: Part, at: { choice: number; block: number }, size: number): readonly AnswerEvent[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return pieces(part.text, size).map((text) => ({ kind: part.kind, ...at, text }));
    case 'reasoning':
      if (part.bound?.kind === 'encrypted') return [{ kind: 'reasoning', ...at, bound: part.bound }];
      return [
        ...pieces(part.text, size).map((text) => ({ kind: 'reasoning' as const, ...at, text })),
        ...(part.bound === undefined ? [] : [{ kind: 'reasoning' as const, ...at, bound: part.bound }]),
      ];
    case 'tool-call':
      return [
        { kind: 'tool-call', ...at, id: part.id, name: part.name },
        ...pieces(part.arguments, size).map((text) => ({ kind: 'tool-arguments' as const, ...at, text })),
      ];
    case 'other':
      return [{ kind: 'part', ...at, part }];
    default:
      return [];
  }
};

/** A call is a lane of its own; the parts of any other kind follow each other in one. */
const laneOf = (part: Part): unknown => (part.kind === 'tool-call' ? part : part.kind);

/** The pieces of the lanes in turns, one of each. */
const interleave = (
  parts: readonly Part[],
  eventsOf: (part: Part) => readonly AnswerEvent[],
): readonly AnswerEvent[] => {
  const lanes = Map.groupBy(parts, laneOf);
  const lists = [...lanes.values()].map((lane) => lane.flatMap(eventsOf));
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
};

const choiceEvents = (
  parts: readonly Part[],
  { choice, size, interleaved }: { choice: number; size: number; interleaved: boolean },
): readonly AnswerEvent[] => {
  const blocks = new Map(parts.map((part, block) => [part, block]));
  const eventsOf = (part: Part): readonly AnswerEvent[] =>
    partEvents(part, { choice, block: blocks.get(part) ?? 0 }, size);
  return interleaved ? interleave(parts, eventsOf) : parts.flatMap(eventsOf);
};

/** An answer as the events of a stream that tells it. */
export const answerEvents = (
  answer: Answer,
  { size = 4, interleaved = false }: { size?: number; interleaved?: boolean } = {},
): readonly AnswerEvent[] => [
  {
    kind: 'start',
    id: answer.id,
    model: answer.model,
    ...(answer.created === undefined ? {} : { created: answer.created }),
  },
  ...answer.choices.flatMap(({ index, parts, finish }): readonly AnswerEvent[] => [
    ...choiceEvents(parts, { choice: index, size, interleaved }),
    { kind: 'finish', choice: index, finish },
  ]),
  ...(answer.usage === undefined ? [] : [{ kind: 'usage' as const, usage: answer.usage }]),
  { kind: 'end' },
];
