import { defineRoute } from '../../../sdk/route/define-route.ts';
import { pageSchema, toPage } from '../../kernel/records/records.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { rejectNulCharacters } from '../../kernel/requests/reject-nul-characters.ts';
import { listReply, objectSchema, ok, text, titled } from '../../kernel/requests/replies.ts';
import type { PromptService } from './prompt-service.ts';
import { changedView, promptReplies, versionView } from './prompt-views.ts';
import { versionBody } from './versions/prompt-bodies.ts';
import { toCaller } from './versions/to-caller.ts';

const version = {
  anyOf: [{ type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 }, { type: 'null' }],
  description: 'The number of the version that gets the label; null: none has it.',
} as const;

/** The routes of the versions of prompts. */
export const promptVersionRoutes = (prompts: PromptService): readonly ControlRoute[] => [
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
