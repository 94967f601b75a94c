import type { Call } from '../../../matrix/scenario.ts';
import type { Reply, Say, ToolSpec } from '../story.ts';

export const tools: readonly ToolSpec[] = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    schema: {
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
      required: ['path'],
    },
  },
  { name: 'list', description: 'Lists a folder.', schema: { type: 'object', properties: { in: { type: 'string' } } } },
];

/** One call, or two at the same time. */
export const callsIn = (story: string, turn: number): readonly Call[] =>
  [
    { id: `call_${story}_${turn}_a`, name: 'read_file', args: { path: `src/"${turn}"/ü\\n.ts`, lines: [turn, 2] } },
    { id: `call_${story}_${turn}_b`, name: 'list', args: {} },
  ].slice(0, 1 + (turn % 2));

export const toThought = (story: string, turn: number): string => `Thought ${turn} of ${story}, "quoted".`;

export const toText = (story: string, turn: number): string => `Reply ${turn} of ${story} — fine.`;

/** The results of the last calls, and a question in every third turn. */
export const sayAfter = (story: string, turn: number, last: Reply | undefined): Say => ({
  results: (last?.calls ?? []).map(({ id, name }) => ({
    id,
    name,
    text: `Result of ${id}:\n\t"öß" {"a": [1]} `,
  })),
  ...(turn % 3 === 0 ? { user: `Question ${turn} of ${story}?` } : {}),
});
