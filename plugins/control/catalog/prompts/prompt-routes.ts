import { defineRoute } from '../../../sdk/route/define-route.ts';
import { pageSchema, toPage } from '../../kernel/records/paging.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { rejectNulCharacters } from '../../kernel/requests/reject-nul-characters.ts';
import { emptyReply, listReply, nothingSchema, objectSchema, ok, text, titled } from '../../kernel/requests/replies.ts';
import { partialRoutes } from './partials/partial-routes.ts';
import { createPartialService } from './partials/partial-service.ts';
import { createPromptService, type PromptService } from './prompt-service.ts';
import { changedView, promptHead, promptReplies, promptView, versionView } from './prompt-views.ts';
import { createPromptFinder, type PromptsOf } from './rendering/prompts-of.ts';
import { runRoutes } from './rendering/run-routes.ts';
import { createIncludedPartials } from './store/included-partials.ts';
import {
  type NewPromptBody,
  newPromptSchema,
  type PromptChangeBody,
  promptChangeSchema,
  versionBody,
} from './versions/prompt-bodies.ts';
import { type PromptParts, toCaller } from './versions/prompt-parts.ts';

const query = {
  type: 'object',
  properties: {
    ...pageSchema.properties,
    collection_id: { type: 'string', description: 'Only the prompts of the collection with this id.' },
  },
} as const;

/** The routes of prompts as a whole. */
const storedPromptRoutes = (prompts: PromptService): readonly ControlRoute[] => [
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

const version = {
  anyOf: [{ type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 }, { type: 'null' }],
  description: 'The number of the version that gets the label; null: none has it.',
} as const;

/** The routes of the versions of prompts. */
const promptVersionRoutes = (prompts: PromptService): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/prompts/{id}/versions',
    operationId: 'list_prompt_versions',
    summary: 'The versions of a prompt without their contents, the newest first.',
    scope: 'prompts.read',
    query: pageSchema,
    replies: { 200: promptReplies.versions },
    handle: async ({ params: { id }, query }, context) => {
      const listed = await prompts.versions(toCaller(context, 'prompts.read'), id, toPage(query));
      const about = { published: listed.row.published, labelled: listed.labels };
      return listReply(
        listed.total,
        listed.rows.map((row) => versionView(row, about)),
      );
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/prompts/{id}/makeDefault',
    operationId: 'publish_prompt',
    summary: 'Publishes a version: requests that name none get it.',
    scope: 'prompts.publish',
    body: versionBody,
    replies: { 200: promptReplies.changed },
    handle: async ({ params: { id }, body }, context) =>
      ok(changedView(await prompts.publish(toCaller(context, 'prompts.publish'), id, body.version))),
  }),
  defineRoute({
    method: 'PUT',
    path: '/prompts/{id}/labels',
    operationId: 'label_prompt',
    summary: 'Gives a label to a version, and takes it from the one that had it: requests by id@label get it.',
    scope: 'prompts.publish',
    body: {
      type: 'object',
      required: ['label', 'version'],
      properties: { label: { type: 'string', minLength: 1, description: 'The name or id of the label.' }, version },
    },
    replies: { 200: titled('LabelledPromptVersion', objectSchema({ id: text, label: text, version })) },
    handle: async ({ params: { id }, body }, context) => {
      rejectNulCharacters(body);
      await prompts.label(toCaller(context, 'prompts.publish'), id, body);
      return ok({ id, label: body.label, version: body.version });
    },
  }),
];

/** Roughly the bytes that parsed partials take in memory. */
const partialBytes = 16 * 1024 * 1024;

/**
 * The routes of prompts, and of the partials that they include. `mergePrompts` is given where others use what it keeps.
 */
export const promptRoutes = (
  parts: PromptParts,
  findPrompts: PromptsOf = createPromptFinder(parts),
): readonly ControlRoute[] => {
  const included = createIncludedPartials(partialBytes);
  const prompts = createPromptService(parts, included);
  return [
    ...storedPromptRoutes(prompts),
    ...promptVersionRoutes(prompts),
    ...runRoutes(findPrompts),
    ...partialRoutes(createPartialService(parts, included)),
  ];
};
