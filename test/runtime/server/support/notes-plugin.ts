import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { defineRoute } from '../../../../plugins/sdk/route/define-route.ts';
import type { AnyRouteRow } from '../../../../plugins/sdk/route/route-row.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { Json } from '../../../../schema/json/json.ts';

/** A third-party plugin with its own endpoints. */
export interface NotesPlugin extends Plugin {
  readonly routes: readonly AnyRouteRow[];
  /** How often notes were created. */
  readonly created: () => number;
  /** A promise that `GET /notes/{id}` awaits. */
  wait: Promise<void>;
}

const note = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'string' }, text: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
} as const;

export const notesPlugin = (): NotesPlugin => {
  let created = 0;
  const plugin: { wait: Promise<void> } = { wait: Promise.resolve() };

  const getNote = defineRoute({
    method: 'GET',
    path: '/notes/{id}',
    operationId: 'get_note',
    summary: 'A note.',
    scope: null,
    replies: { 200: note },
    handle: async ({ params: { id } }, { tenant, principal: { keyId = null } }) => {
      await plugin.wait;
      if (id === 'unknown') throw gatewayError('not-found', { what: 'note', name: id, suggestion: 'GET /notes.' });
      if (id === 'broken') throw new Error('the password is hunter2');
      return { status: 200, body: { id, text: 'A note.', tenant, keyId } };
    },
  });

  const listNotes = defineRoute({
    method: 'GET',
    path: '/notes',
    operationId: 'list_notes',
    summary: 'Notes, a page at a time.',
    scope: null,
    query: {
      type: 'object',
      properties: {
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        exact: { type: 'boolean' },
        tag: { type: 'array', items: { type: 'string' } },
      },
    },
    replies: { 200: { type: 'array', items: note } },
    handle: ({ query: { limit, exact = false, tag = [] } }) => ({
      status: 200,
      body: [{ id: `${limit} ${exact}`, text: '', tags: tag }],
    }),
  });

  const createNote = defineRoute({
    method: 'POST',
    path: '/notes',
    operationId: 'create_note',
    summary: 'Creates a note.',
    scope: 'completions.write',
    idempotent: true,
    body: {
      type: 'object',
      required: ['text'],
      properties: {
        text: { type: 'string', minLength: 1 },
        colour: { type: 'string', enum: ['red', 'blue'], default: 'red' },
        data: { type: 'object', additionalProperties: true },
      },
    },
    replies: { 201: note },
    handle: async ({ body }) => {
      created += 1;
      const at = created;
      await plugin.wait;
      const { text, colour, data = {} } = body;
      return { status: 201, body: { id: String(at), text, colour, members: Object.keys(data).length } };
    },
  });

  const answer = { type: 'object', additionalProperties: true } as const;
  const askNote = defineRoute({
    method: 'POST',
    path: '/notes/{id}/ask',
    operationId: 'ask_note',
    summary: 'Asks the model about a note.',
    scope: null,
    body: {
      type: 'object',
      required: ['question'],
      properties: { question: { type: 'string' }, stream: { type: 'boolean', default: false } },
    },
    replies: { 200: [answer, 'events'], default: answer },
    handle: ({ body: { question, stream } }, { principal, headers, dispatch }) =>
      dispatch(
        {
          method: 'POST',
          path: '/v1/chat/completions',
          headers,
          body: { model: 'echo', stream, messages: [{ role: 'user', content: question }] as Json },
        },
        principal,
      ),
  });

  const deleteNote = defineRoute({
    method: 'DELETE',
    path: '/notes/{id}',
    operationId: 'delete_note',
    summary: 'Deletes a note.',
    scope: 'notes.delete',
    replies: { 204: 'bytes' },
    handle: () => ({ status: 204 }),
  });

  const routes = [getNote, listNotes, createNote, askNote, deleteNote];
  return Object.assign(plugin, definePlugin({ name: 'acme-notes' }), { routes, created: () => created });
};
