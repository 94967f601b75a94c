import { defineRoute } from '../../../sdk/route/define-route.ts';
import { pageSchema, toPage } from '../../kernel/records/records.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { rejectNulCharacters } from '../../kernel/requests/reject-nul-characters.ts';
import { emptyReply, listReply, nothingSchema, ok } from '../../kernel/requests/replies.ts';
import type { PromptService } from './prompt-service.ts';
import { changedView, promptHead, promptReplies, promptView } from './prompt-views.ts';
import {
  type NewPromptBody,
  newPromptSchema,
  type PromptChangeBody,
  promptChangeSchema,
} from './versions/prompt-bodies.ts';
import { toCaller } from './versions/to-caller.ts';

const query = {
  type: 'object',
  properties: {
    ...pageSchema.properties,
    collection_id: { type: 'string', description: 'Only the prompts of the collection with this id.' },
  },
} as const;

/** The routes of prompts as a whole. */
export const storedPromptRoutes = (prompts: PromptService): readonly ControlRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/prompts',
    operationId: 'create_prompt',
    summary: 'Saves a prompt. Its first version is published.',
    scope: 'prompts.create',
    idempotent: true,
    body: newPromptSchema,
    replies: { 200: promptReplies.changed },
    handle: async ({ body }, context) => {
      // The schema says that it is one.
      const asked = body as unknown as NewPromptBody;
      rejectNulCharacters(asked);
      return ok(changedView(await prompts.create(toCaller(context, 'prompts.create'), asked)));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/prompts',
    operationId: 'list_prompts',
    summary: 'Lists prompts without their contents, the newest first.',
    scope: 'prompts.list',
    query,
    replies: { 200: promptReplies.prompts },
    handle: async ({ query: asked }, context) => {
      rejectNulCharacters(asked, 'query');
      const caller = toCaller(context, 'prompts.list');
      const { total, rows } = await prompts.list(caller, asked.collection_id, toPage(asked));
      return listReply(total, rows.map(promptHead));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/prompts/{id}',
    operationId: 'get_prompt',
    summary: 'A version of a prompt: the published one, or that of id@12, id@latest or id@label.',
    scope: 'prompts.read',
    replies: { 200: promptReplies.prompt },
    handle: async ({ params: { id } }, context) =>
      ok(promptView(await prompts.get(toCaller(context, 'prompts.read'), id))),
  }),
  defineRoute({
    method: 'PUT',
    path: '/prompts/{id}',
    operationId: 'update_prompt',
    summary: 'Makes a new version of a prompt, which is not published yet.',
    scope: 'prompts.update',
    body: promptChangeSchema,
    replies: { 200: promptReplies.changed },
    handle: async ({ params: { id }, body }, context) => {
      // The schema says that it is one.
      const asked = body as unknown as PromptChangeBody;
      rejectNulCharacters(asked);
      return ok(changedView(await prompts.update(toCaller(context, 'prompts.update'), id, asked)));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/prompts/{id}',
    operationId: 'delete_prompt',
    summary: 'Deletes a prompt with all its versions.',
    scope: 'prompts.delete',
    replies: { 200: nothingSchema },
    handle: async ({ params: { id } }, context) => {
      await prompts.remove(toCaller(context, 'prompts.delete'), id);
      return emptyReply;
    },
  }),
];
