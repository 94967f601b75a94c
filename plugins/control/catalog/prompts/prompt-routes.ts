import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { savedSlug } from '../../../../schema/text/slug-model.ts';
import type { Principal, TenantId } from '../../../sdk/exchange/exchange.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { slugSchema } from '../../kernel/records/new-slug.ts';
import { searchedPageSchema } from '../../kernel/records/search.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { etagSchema, ifMatchSchema, readIfMatch, withEtag } from '../../kernel/requests/precondition.ts';
import { rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, ok, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { resolveCaller } from '../../kernel/requests/request-scope.ts';
import { versionedNames } from '../../kernel/resource/versioned-names.ts';
import { createIncludedPartials } from './included-partials.ts';
import { createPartialService, type PartialService } from './partial-service.ts';
import {
  newPromptSchema,
  promptChangeSchema,
  promptContentMembers,
  promptContentRequired,
  renderBodySchema,
  renderedPromptSchema,
  versionDescription,
} from './prompt-content.ts';
import { createPromptService, type PromptParts, type PromptService } from './prompt-service.ts';
import { promptStore } from './prompt-store.ts';
import { createPromptFinder, type FoundPrompt, type PromptsOf, renderForBody, templateError } from './prompts-of.ts';
import { versionedRoutes } from './versioned-routes.ts';

const query = {
  type: 'object',
  properties: {
    ...searchedPageSchema('prompts', versionedNames).properties,
    collection_id: { type: 'string', description: 'Only the prompts of the collection with this id.' },
  },
} as const;

const version = {
  anyOf: [{ type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 }, { type: 'null' }],
  description: 'The number of the version that gets the label; null removes it from all versions.',
} as const;

const labels = { type: 'array', items: text, description: 'The labels of this version.' } as const;

const contentMembers = (isRequired: boolean): { readonly [name: string]: ParameterSchema } =>
  Object.fromEntries(
    Object.entries(promptContentMembers).filter(
      ([name]) => (promptContentRequired as readonly string[]).includes(name) === isRequired,
    ),
  );

/** Creates the routes of saved prompts. */
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
      update: 'Creates a new version of a prompt, which is not published yet.',
      delete: 'Deletes a prompt with all its versions.',
      versions: 'Lists the versions of a prompt without their content, newest first.',
      publish: 'Publishes a version, which requests that name no version then get.',
    },
    bodies: { create: newPromptSchema, update: promptChangeSchema },
    query,
    changed: titled(
      'SavedPrompt',
      objectSchema({
        ...{ id: text, slug: text, object: { const: 'prompt' } },
        version_id: { type: 'string', description: 'The id of the version that was created or published.' },
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
    summary: 'Moves a label to a version. Requests for id@label get that version.',
    scope: 'prompts.publish',
    headers: ifMatchSchema,
    body: {
      type: 'object',
      required: ['label', 'version'],
      properties: { label: { type: 'string', minLength: 1, description: 'The name or id of the label.' }, version },
    },
    replies: { 200: titled('LabelledPromptVersion', objectSchema({ id: text, label: text, version })) },
    replyHeaders: etagSchema,
    handle: async ({ params: { id }, body }, context) => {
      rejectNulCharacters(body);
      const caller = resolveCaller(context, 'prompts.publish');
      const row = await prompts.label(caller, id, body, readIfMatch(context.headers));
      return withEtag(row, { id, label: body.label, version: body.version });
    },
  }),
];

/** The approximate size of the cache of parsed partials, in bytes. */
const partialBytes = 16 * 1024 * 1024;

/**
 * Creates the routes of prompts, and of the partials that they include. Pass `findPrompts` to share its cache with other callers.
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

/** Renders a prompt for a request. Throws the `GatewayError`s `invalid-input` and `not-found`. */
const rendered = async (
  findPrompts: PromptsOf,
  { tenant, reference, body }: { readonly tenant: TenantId; readonly reference: string; readonly body: JsonObject },
  missing?: (name: string) => void,
) => {
  const prompt = await findPrompts(tenant)
    .find(reference)
    .catch((error) => {
      throw invalidInput([templateError(error)]);
    });
  if (prompt === undefined) throw promptStore.unknown(reference);
  return { prompt, data: renderForBody(prompt, body, (error) => invalidInput([error]), missing) };
};

/** Headers that name a provider. If a request has one of them, it overrides the prompt's. */
const destinations = ['x-gw-virtual-key', 'x-gw-provider'];

/**
 * Adds the virtual key or provider of a prompt to the headers of a request, if they name none. A config that names its
 * own destination does not use it.
 */
const headersFor = (headers: RawHeaders, { virtualKey }: FoundPrompt): RawHeaders => {
  if (destinations.some((name) => headerValue(headers, name) !== undefined)) return headers;
  return [...headers, savedSlug(virtualKey) === undefined ? 'x-gw-virtual-key' : 'x-gw-provider', virtualKey];
};

/** Returns a caller whose requests all have the label `_prompt`, whatever labels its key and the request set. */
const labelled = (principal: Principal, { slug }: FoundPrompt): Principal => ({
  ...principal,
  defaults: { ...principal.defaults, metadata: { ...principal.defaults?.metadata, _prompt: slug } },
});

/** The responses of the data path, in the form of the API that was called. Checks can give a stream a status other than 200. */
const answers = [{ type: 'object', additionalProperties: true }, 'events'] as const;

/** The maximum number of missing variables that a response names. */
const maxMissing = 100;

const renderingReply: ParameterSchema = titled(
  'PromptRendering',
  objectSchema(
    { success: { const: true }, data: renderedPromptSchema },
    {
      missing_variables: {
        type: 'array',
        items: text,
        description: `The variables that the template inserts and that have no value, at most ${maxMissing}; absent if there are none. Nothing was inserted for them.`,
      },
    },
  ),
);

/** Creates the routes that use prompts. */
const runRoutes = (findPrompts: PromptsOf): readonly ControlRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/prompts/{id}/render',
    operationId: 'render_prompt',
    summary: 'Renders a prompt with variables. No model is called.',
    scope: 'prompts.render',
    body: renderBodySchema,
    replies: { 200: renderingReply },
    handle: async ({ params: { id }, body }, context) => {
      const { tenant } = resolveCaller(context, 'prompts.render');
      const missing = new Set<string>();
      const request = { tenant, reference: id, body: body as JsonObject };
      const { data } = await rendered(findPrompts, request, (name) => {
        if (missing.size < maxMissing) missing.add(name);
      });
      return ok({ success: true, data, ...(missing.size > 0 && { missing_variables: [...missing] }) });
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/prompts/{id}/completions',
    operationId: 'complete_prompt',
    summary: 'Renders a prompt, and returns its completion: a chat completion if it has messages.',
    scope: 'completions.write',
    body: renderBodySchema,
    replies: { 200: answers, default: answers },
    handle: async ({ params: { id }, body }, context) => {
      const { tenant } = resolveCaller(context, 'completions.write');
      const { prompt, data } = await rendered(findPrompts, { tenant, reference: id, body: body as JsonObject });
      return context.dispatch(
        {
          method: 'POST',
          path: prompt.kind === 'chat' ? '/v1/chat/completions' : '/v1/completions',
          headers: headersFor(context.headers, prompt),
          body: data,
        },
        labelled(context.principal, prompt),
      );
    },
  }),
];

const members = {
  name: { type: 'string', minLength: 1, maxLength: 255, description: 'For people.' },
  string: { type: 'string', description: 'The template.' },
  version_description: versionDescription,
} as const;

/** The bodies that create and change a partial. */
export const partialBodies: Readonly<Record<'create' | 'update', ParameterSchema>> = {
  create: {
    type: 'object',
    required: ['name', 'string'],
    properties: {
      ...members,
      slug: { ...slugSchema, description: 'The name used in templates; derived from the display name if absent.' },
    },
  },
  update: { type: 'object', properties: members },
};

/** Creates the routes of partials, which templates include. */
const partialRoutes = (service: PartialService): readonly ControlRoute[] =>
  versionedRoutes({
    noun: 'partial',
    title: 'Partial',
    path: '/prompts/partials',
    service,
    summaries: {
      create: 'Saves a partial, which templates include. Its first version is published.',
      list: 'Lists partials without their texts, the newest first.',
      get: 'A version of a partial: the published one, or that of id@5 or id@latest.',
      update: 'Renames a partial, or creates a new version of it, which is not published yet.',
      delete: 'Deletes a partial that no prompt or partial in use names.',
      versions: 'The versions of a partial without their texts, the newest first.',
      publish: 'Publishes a version: templates that name none include it.',
    },
    bodies: partialBodies,
    changed: titled(
      'SavedPartial',
      objectSchema({ id: text, slug: text, version_id: text, object: { const: 'partial' } }),
    ),
    members: { record: { schema: { string: text }, view: ({ version }) => ({ string: version.text }) } },
  });
