import type { Answer, AnswerChoice, AnswerEvent } from './answer.ts';
import type { Part } from './conversation.ts';

type At = { readonly choice: number; readonly block: number };

const reasoningEvents = (
  { text, summary = [], bound }: Extract<Part, { readonly kind: 'reasoning' }>,
  at: At,
): readonly AnswerEvent[] => [
  ...(text === '' && (summary.length > 0 || bound !== undefined) ? [] : [{ kind: 'reasoning' as const, ...at, text }]),
  ...summary.map((each, index) => ({ kind: 'reasoning' as const, ...at, summary: { index, text: each } })),
  ...(bound === undefined ? [] : [{ kind: 'reasoning' as const, ...at, bound }]),
];

/** Returns the events of one part of an answer. Answers contain no tool results or JSON values. */
export const partEvents = (part: Part, at: At): readonly AnswerEvent[] => {
  switch (part.kind) {
    case 'text':
      return [
        { kind: 'text', ...at, text: part.text },
        ...(part.logprobs === undefined ? [] : [{ kind: 'logprobs' as const, ...at, logprobs: part.logprobs }]),
        ...(part.citations ?? []).map((citation) => ({ kind: 'citation' as const, ...at, citation })),
      ];
    case 'refusal':
      return [{ kind: 'refusal', ...at, text: part.text }];
    case 'reasoning':
      return reasoningEvents(part, at);
    case 'tool-call': {
      const { id, name, input, extensions, arguments: text } = part;
      return [
        { kind: 'tool-call', ...at, id, name, ...(input && { input }), ...(extensions && { extensions }) },
        { kind: 'tool-arguments', ...at, text },
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

const extensionEvents = (
  extensions: AnswerChoice['extensions'] = {},
  at: { readonly choice?: number } = {},
): readonly AnswerEvent[] =>
  Object.entries(extensions).map(([dialect, value]) => ({ kind: 'extension', ...at, dialect, value }));

/** Returns a whole answer as the events of a stream. `foldAnswer` is the inverse. */
export const unfoldAnswer = ({ id, model, created, choices, usage, extensions }: Answer): readonly AnswerEvent[] => [
  { kind: 'start', id, model, ...(created === undefined ? {} : { created }) },
  ...extensionEvents(extensions),
  ...choices.flatMap(({ index, parts, finish, extensions: own }): readonly AnswerEvent[] => [
    ...parts.flatMap((part, block): readonly AnswerEvent[] => [
      ...partEvents(part, { choice: index, block }),
      { kind: 'block-end', choice: index, block },
    ]),
    ...extensionEvents(own, { choice: index }),
    { kind: 'finish', choice: index, finish },
  ]),
  ...(usage === undefined ? [] : [{ kind: 'usage' as const, usage }]),
  { kind: 'end' },
];
