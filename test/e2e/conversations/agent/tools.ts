import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ToolSpec } from '../story.ts';

const path: JsonObject = { type: 'string', description: 'Absolute, e.g. "/a/b.ts".' };

const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const edit = object(
  {
    old: { type: 'string' },
    new: { type: 'string' },
    where: { anyOf: [{ type: 'integer', minimum: 1 }, object({ after: { type: 'string' } }, ['after'])] },
  },
  ['old', 'new'],
);

const shell = object(
  {
    command: { type: 'string' },
    timeout: { type: 'number', minimum: 0, maximum: 600 },
    env: { type: 'object', additionalProperties: { type: 'string' } },
  },
  ['command'],
);

const todo = object(
  {
    todos: {
      type: 'array',
      items: object({ text: { type: 'string' }, status: { type: 'string', enum: ['open', 'done'] } }, [
        'text',
        'status',
      ]),
    },
  },
  ['todos'],
);

const functions: Readonly<Record<string, JsonObject>> = {
  read_file: object({ path, range: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 } }, ['path']),
  edit_file: object({ path, edits: { type: 'array', items: edit } }, ['path', 'edits']),
  'run-shell': shell,
  grep: object({ pattern: { type: 'string' }, glob: { type: 'string', default: '**/*' } }, ['pattern']),
  list: object({ path }, []),
  todo_write: todo,
  fetch_url: object({ url: { type: 'string', format: 'uri' } }, ['url']),
  ask_user: object({ question: { type: 'string' }, options: { type: 'array', items: { type: 'string' } } }, []),
  mcp__git__log: object({ max: { type: ['integer', 'null'] }, $ref_like: { const: 1 } }, []),
};

/** The functions of a coding agent. */
export const agentTools: readonly ToolSpec[] = [
  ...Object.entries(functions).map(([name, schema]) => ({ name, description: `Does "${name}".\nCarefully.`, schema })),
  { name: 'notebook', description: 'No parameters.', schema: { type: 'object', properties: {} } },
];

/** A tool whose input is plain text. */
export const patchTool = { name: 'apply_patch', description: 'Applies a patch.' } as const;
