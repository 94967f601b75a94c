import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { pageSchema } from '../../kernel/records/records.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, ok, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { promptContentMembers, promptContentRequired } from './content/prompt-content.ts';
import { partialRoutes } from './partials/partial-routes.ts';
import { createPartialService } from './partials/partial-service.ts';
import { createPromptService, type PromptService } from './prompt-service.ts';
import { createPromptFinder, type PromptsOf } from './rendering/prompts-of.ts';
import { runRoutes } from './rendering/run-routes.ts';
import { createIncludedPartials } from './store/included-partials.ts';
import { newPromptSchema, promptChangeSchema } from './versions/prompt-bodies.ts';
import { type PromptParts, toCaller } from './versions/prompt-parts.ts';
import { versionedRoutes } from './versions/versioned-routes.ts';

const query = {
  type: 'object',
  properties: {
    ...pageSchema.properties,
    collection_id: { type: 'string', description: 'Only the prompts of the collection with this id.' },
  },
} as const;

const version = {
  anyOf: [{ type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 }, { type: 'null' }],
  description: 'The number of the version that gets the label; null: none has it.',
} as const;

const labels = { type: 'array', items: text, description: 'The labels of this version.' } as const;

const required: readonly string[] = promptContentRequired;
const contentMembers = (isRequired: boolean): { readonly [name: string]: ParameterSchema } =>
  Object.fromEntries(Object.entries(promptContentMembers).filter(([name]) => required.includes(name) === isRequired));

/** Makes the routes of prompts that are saved. */
const storedPromptRoutes = (prompts: PromptService): readonly ControlRoute[] => [
  ...versionedRoutes({
    noun: 'prompt',
    title: 'Prompt',
    path: '/prompts',
    service: prompts,
    summaries: {
      create: 'Saves a prompt. Its first version is published.',
      list: 'Lists prompts without their contents, the newest first.',
      get: 'A version of a prompt: the published one, or that of id@12, id@latest or id@label.',
      update: 'Makes a new version of a prompt, which is not published yet.',
      delete: 'Deletes a prompt with all its versions.',
      versions: 'The versions of a prompt without their contents, the newest first.',
      publish: 'Publishes a version: requests that name none get it.',
    },
    bodies: { create: newPromptSchema, update: promptChangeSchema },
    query,
    changed: titled(
      'SavedPrompt',
      objectSchema({
        ...{ id: text, slug: text, object: { const: 'prompt' } },
        version_id: { type: 'string', description: 'The id of the version that was made or published.' },
      }),
    ),
    members: {
      head: { schema: { collection_id: textOrNull }, view: ({ collection_id }) => ({ collection_id }) },
      record: {
        schema: { labels, ...contentMembers(true) },
        optional: contentMembers(false),
        view: ({ version: { number }, labels: labelled, content }) => ({
          labels: labelled.get(number) ?? [],
          ...content,
        }),
      },
      version: {
        schema: { labels },
        view: ({ version: { number }, labels: labelled }) => ({ labels: labelled.get(number) ?? [] }),
      },
    },
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
 * Makes the routes of prompts, and of the partials that they include. `findPrompts` is given where others use what it
 * keeps.
 */
export const promptRoutes = (
  parts: PromptParts,
  findPrompts: PromptsOf = createPromptFinder(parts),
): readonly ControlRoute[] => {
  const included = createIncludedPartials(partialBytes);
  return [
    ...storedPromptRoutes(createPromptService(parts, included)),
    ...runRoutes(findPrompts),
    ...partialRoutes(createPartialService(parts, included)),
  ];
};
