import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../../sdk/route/define-route.ts';
import { slugSchema } from '../../../kernel/records/new-slug.ts';
import { pageSchema, toPage } from '../../../kernel/records/paging.ts';
import type { ControlRoute } from '../../../kernel/requests/control-route.ts';
import { rejectNulCharacters } from '../../../kernel/requests/reject-nul-characters.ts';
import {
  emptyReply,
  listReply,
  listSchema,
  nothingSchema,
  objectSchema,
  ok,
  seconds,
  text,
  textOrNull,
  titled,
} from '../../../kernel/requests/replies.ts';
import { toSeconds } from '../../../kernel/requests/to-seconds.ts';
import type { PartialRow } from '../../../kernel/store/tables/tables.ts';
import type { PartialVersionHead } from '../store/prompt-store.ts';
import { versionBody, versionDescription } from '../versions/prompt-bodies.ts';
import { toCaller } from '../versions/prompt-parts.ts';
import type { PartialService, VersionedPartial } from './partial-service.ts';

const number = { type: 'integer', description: 'Its number; the first is 1.' } as const;

const head = {
  object: { const: 'partial' },
  ...{ id: text, slug: text, name: text, workspace_id: text },
  published_version: { type: 'integer', description: 'The number of the published version.' },
  ...{ created_at: seconds, last_updated_at: seconds },
} as const satisfies { readonly [name: string]: ParameterSchema };

/** What the routes of partials answer. */
const partialReplies: Readonly<Record<'partial' | 'partials' | 'versions' | 'changed', ParameterSchema>> = {
  partial: titled(
    'Partial',
    objectSchema({
      ...head,
      ...{ version: number, version_id: text, version_description: textOrNull, string: text },
    }),
  ),
  partials: listSchema(titled('PartialSummary', objectSchema(head))),
  versions: listSchema(
    titled(
      'PartialVersion',
      objectSchema({
        object: { const: 'partial-version' },
        ...{ id: text, partial_id: text, version: number, version_description: textOrNull },
        is_published: { type: 'boolean' },
        ...{ created_by: textOrNull, created_at: seconds },
      }),
    ),
  ),
  changed: titled(
    'SavedPartial',
    objectSchema({ id: text, slug: text, version_id: text, object: { const: 'partial' } }),
  ),
};

const changedPartial = ({ row: { id, slug }, version }: VersionedPartial): JsonObject => ({
  ...{ id, slug, version_id: version.id, object: 'partial' },
});

const partialHead = (row: PartialRow): JsonObject => ({
  object: 'partial',
  id: row.id,
  slug: row.slug,
  name: row.name,
  workspace_id: row.workspace_id,
  published_version: row.published,
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

const partialView = ({ row, version }: VersionedPartial): JsonObject => ({
  ...partialHead(row),
  version: version.number,
  version_id: version.id,
  version_description: version.description,
  string: version.text,
});

const partialVersionView = (row: PartialVersionHead, published: number): JsonObject => ({
  object: 'partial-version',
  id: row.id,
  partial_id: row.partial_id,
  version: row.number,
  version_description: row.description,
  is_published: row.number === published,
  created_by: row.created_by,
  created_at: toSeconds(row.created_at),
});

const members = {
  name: { type: 'string', minLength: 1, maxLength: 255, description: 'For people.' },
  string: { type: 'string', description: 'The template.' },
  version_description: versionDescription,
} as const;

/** The routes of partials, which templates include. */
export const partialRoutes = (partials: PartialService): readonly ControlRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/prompts/partials',
    operationId: 'create_partial',
    summary: 'Saves a partial, which templates include. Its first version is published.',
    scope: 'prompts.create',
    idempotent: true,
    body: {
      type: 'object',
      required: ['name', 'string'],
      properties: {
        ...members,
        slug: { ...slugSchema, description: 'What templates name it by; made of the name if absent.' },
      },
    },
    replies: { 200: partialReplies.changed },
    handle: async ({ body }, context) => {
      rejectNulCharacters(body);
      return ok(changedPartial(await partials.create(toCaller(context, 'prompts.create'), body)));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/prompts/partials',
    operationId: 'list_partials',
    summary: 'Lists partials without their texts, the newest first.',
    scope: 'prompts.list',
    query: pageSchema,
    replies: { 200: partialReplies.partials },
    handle: async ({ query }, context) => {
      const { total, rows } = await partials.list(toCaller(context, 'prompts.list'), toPage(query));
      return listReply(total, rows.map(partialHead));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/prompts/partials/{id}',
    operationId: 'get_partial',
    summary: 'A version of a partial: the published one, or that of id@5 or id@latest.',
    scope: 'prompts.read',
    replies: { 200: partialReplies.partial },
    handle: async ({ params: { id } }, context) =>
      ok(partialView(await partials.get(toCaller(context, 'prompts.read'), id))),
  }),
  defineRoute({
    method: 'PUT',
    path: '/prompts/partials/{id}',
    operationId: 'update_partial',
    summary: 'Renames a partial, or makes a new version of it, which is not published yet.',
    scope: 'prompts.update',
    body: { type: 'object', properties: members },
    replies: { 200: partialReplies.changed },
    handle: async ({ params: { id }, body }, context) => {
      rejectNulCharacters(body);
      return ok(changedPartial(await partials.update(toCaller(context, 'prompts.update'), id, body)));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/prompts/partials/{id}',
    operationId: 'delete_partial',
    summary: 'Deletes a partial that no prompt or partial in use names.',
    scope: 'prompts.delete',
    replies: { 200: nothingSchema },
    handle: async ({ params: { id } }, context) => {
      await partials.remove(toCaller(context, 'prompts.delete'), id);
      return emptyReply;
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/prompts/partials/{id}/versions',
    operationId: 'list_partial_versions',
    summary: 'The versions of a partial without their texts, the newest first.',
    scope: 'prompts.read',
    query: pageSchema,
    replies: { 200: partialReplies.versions },
    handle: async ({ params: { id }, query }, context) => {
      const { total, rows, row } = await partials.versions(toCaller(context, 'prompts.read'), id, toPage(query));
      return listReply(
        total,
        rows.map((each) => partialVersionView(each, row.published)),
      );
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/prompts/partials/{id}/makeDefault',
    operationId: 'publish_partial',
    summary: 'Publishes a version: templates that name none include it.',
    scope: 'prompts.publish',
    body: versionBody,
    replies: { 200: partialReplies.changed },
    handle: async ({ params: { id }, body }, context) =>
      ok(changedPartial(await partials.publish(toCaller(context, 'prompts.publish'), id, body.version))),
  }),
];
