import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { JsonReply } from '../../../sdk/route/route-row.ts';
import { fixedMemberSchema } from '../../kernel/records/fixed-members.ts';
import { slugSchema } from '../../kernel/records/new-slug.ts';
import {
  type PageQuery,
  type PageResult,
  type ResourcePage,
  resourcePage,
  resourcePageSchema,
} from '../../kernel/records/records.ts';
import { type SearchedPage, searchedPage, searchedPageSchema } from '../../kernel/records/search.ts';
import { showRow, showRows } from '../../kernel/records/show-rows.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import {
  etagSchema,
  ifMatchSchema,
  type Precondition,
  readIfMatch,
  withEtag,
} from '../../kernel/requests/precondition.ts';
import { rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import {
  emptyReply,
  listReply,
  listSchema,
  nothingSchema,
  objectSchema,
  seconds,
  text,
  textOrNull,
  titled,
} from '../../kernel/requests/replies.ts';
import { resolveCaller } from '../../kernel/requests/request-scope.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { versionedNames } from '../../kernel/resource/versioned-names.ts';
import type { PartialRow, PromptVersionRow } from '../../kernel/store/tables.ts';
import { versionBody } from './prompt-content.ts';
import type { PromptCaller } from './prompt-store.ts';

/** A version as lists show it, whether of a prompt or of a partial. */
type VersionHead = Omit<PromptVersionRow, 'prompt_id' | 'content'>;

/** A changed record, and the version that the change concerns. */
export interface ChangedRecord {
  readonly row: Pick<PartialRow, 'id' | 'slug' | 'updated_at'>;
  readonly versionId: string;
}

/** The operations on prompts, and on partials. All methods reject with a `GatewayError`, or as the store does. */
export interface VersionedService<NewBody, ChangeBody, Row, Found, Versions> {
  /** Creates a record with its first version, which is published. */
  create(caller: PromptCaller, body: NewBody): Promise<ChangedRecord>;
  /** Lists all records, or those of a collection. */
  list(caller: PromptCaller, page: SearchedPage, collection?: string): Promise<PageResult<Row>>;
  /** Returns the version that a reference names: `slug`, `slug@5` or `slug@latest`. The id may be used instead of the slug. */
  get(caller: PromptCaller, reference: string): Promise<Found>;
  /** Creates a new, unpublished version from the content in the body. A body without content creates none. */
  update(caller: PromptCaller, name: string, body: ChangeBody, precondition?: Precondition): Promise<ChangedRecord>;
  remove(caller: PromptCaller, name: string, precondition?: Precondition): Promise<void>;
  versions(caller: PromptCaller, name: string, page: ResourcePage): Promise<Versions>;
  publish(caller: PromptCaller, name: string, version: number, precondition?: Precondition): Promise<ChangedRecord>;
}

type Members = { readonly [name: string]: ParameterSchema };

/** Members of responses in addition to those that prompts and partials have in common. */
interface FurtherMembers<Of> {
  readonly schema: Members;
  readonly view: (of: Of) => JsonObject;
}

/** The query of a list, which may name a collection if it lists prompts. */
type ListQuery = PageQuery & { readonly after?: string; readonly search?: string; readonly collection_id?: string };

/** The description of a kind of record with versions, from which its routes are generated. */
interface VersionedRecords<NewBody, ChangeBody, Row, Found, Versions> {
  readonly noun: 'prompt' | 'partial';
  /** The name of a record in `openapi.json`. */
  readonly title: 'Prompt' | 'Partial';
  readonly path: '/prompts' | '/prompts/partials';
  readonly service: VersionedService<NewBody, ChangeBody, Row, Found, Versions>;
  readonly summaries: Readonly<
    Record<'create' | 'list' | 'get' | 'update' | 'delete' | 'versions' | 'publish', string>
  >;
  /** The schemas of the bodies that `service` accepts. */
  readonly bodies: { readonly create: ParameterSchema; readonly update: ParameterSchema };
  /** The query of lists; a page and a search if absent. */
  readonly query?: ReturnType<typeof searchedPageSchema>;
  /** The schema of the response to changes. */
  readonly changed: ParameterSchema;
  readonly members: {
    /** Members of all records. */
    readonly head?: FurtherMembers<Row>;
    /** Members of a record with one version. The optional ones may be missing from the response. */
    readonly record: FurtherMembers<Found> & { readonly optional?: Members };
    /** Members of a version in a list. */
    readonly version?: FurtherMembers<Versions & { readonly version: VersionHead }>;
  };
}

const number = { type: 'integer', description: 'Its number; the first is 1.' } as const;

/** Creates the routes that prompts and partials have in common. */
export const versionedRoutes = <
  NewBody,
  ChangeBody,
  Row extends PartialRow,
  Found extends { readonly row: Row; readonly version: VersionHead },
  Versions extends PageResult<VersionHead> & { readonly row: Row },
>({
  noun,
  title,
  path,
  service,
  summaries,
  bodies,
  query: listQuery = searchedPageSchema(`${noun}s`, versionedNames),
  changed: changedSchema,
  members: { head, record, version },
}: VersionedRecords<NewBody, ChangeBody, Row, Found, Versions>): readonly ControlRoute[] => {
  const headSchema: Members = {
    object: { const: noun },
    ...{ id: text, slug: text, name: text, workspace_id: text, ...head?.schema },
    published_version: { type: 'integer', description: 'The number of the published version.' },
    ...{ created_at: seconds, last_updated_at: seconds },
  };
  const recordSchema = objectSchema(
    { ...headSchema, version: number, version_id: text, version_description: textOrNull, ...record.schema },
    record.optional,
  );
  const versionSchema = objectSchema({
    object: { const: `${noun}-version` },
    ...{ id: text, [`${noun}_id`]: text, version: number, version_description: textOrNull, ...version?.schema },
    is_published: { type: 'boolean' },
    ...{ created_by: textOrNull, created_at: seconds },
  });

  const toHead = (row: Row): JsonObject => ({
    object: noun,
    id: row.id,
    slug: row.slug,
    name: row.name,
    workspace_id: row.workspace_id,
    ...head?.view(row),
    published_version: row.published,
    created_at: toSeconds(row.created_at),
    last_updated_at: toSeconds(row.updated_at),
  });

  const onePath = `${path}/{id}` as const;

  const changed = ({ row, versionId }: ChangedRecord): JsonReply =>
    withEtag(row, { id: row.id, slug: row.slug, version_id: versionId, object: noun });

  /** Returns a body with the type that its schema ensures. */
  const toBody = <Body>(body: unknown): Body => {
    rejectNulCharacters(body as object);
    return body as Body;
  };

  return [
    defineRoute({
      method: 'POST',
      path,
      operationId: `create_${noun}`,
      summary: summaries.create,
      scope: 'prompts.create',
      idempotent: true,
      body: bodies.create,
      replies: { 200: changedSchema },
      replyHeaders: etagSchema,
      handle: async ({ body }, context) => {
        const asked = toBody<NewBody>(body);
        return changed(await service.create(resolveCaller(context, 'prompts.create'), asked));
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: `list_${noun}s`,
      summary: summaries.list,
      scope: 'prompts.list',
      query: listQuery,
      replies: { 200: listSchema(titled(`${title}Summary`, objectSchema(headSchema))) },
      handle: async ({ query }, context) => {
        rejectNulCharacters(query, 'query');
        const { collection_id, ...page }: ListQuery = query;
        const { total, rows } = await service.list(
          resolveCaller(context, 'prompts.list'),
          searchedPage(page),
          collection_id,
        );
        return listReply(total, showRows(noun, rows, toHead));
      },
    }),
    defineRoute({
      method: 'GET',
      path: onePath,
      operationId: `get_${noun}`,
      summary: summaries.get,
      scope: 'prompts.read',
      replies: { 200: titled(title, recordSchema) },
      replyHeaders: etagSchema,
      handle: async ({ params: { id } }, context) => {
        const found = await service.get(resolveCaller(context, 'prompts.read'), id);
        return withEtag(found.row, {
          ...toHead(found.row),
          version: found.version.number,
          version_id: found.version.id,
          version_description: found.version.description,
          ...showRow(noun, found.row, () => record.view(found)),
        });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: onePath,
      operationId: `update_${noun}`,
      summary: summaries.update,
      scope: 'prompts.update',
      headers: ifMatchSchema,
      body: { ...bodies.update, properties: { ...bodies.update.properties, slug: fixedMemberSchema(slugSchema) } },
      replies: { 200: changedSchema },
      replyHeaders: etagSchema,
      handle: async ({ params: { id }, body }, context) => {
        const asked = toBody<ChangeBody>(body);
        return changed(
          await service.update(resolveCaller(context, 'prompts.update'), id, asked, readIfMatch(context.headers)),
        );
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: onePath,
      operationId: `delete_${noun}`,
      summary: summaries.delete,
      scope: 'prompts.delete',
      headers: ifMatchSchema,
      replies: { 200: nothingSchema },
      handle: async ({ params: { id } }, context) => {
        await service.remove(resolveCaller(context, 'prompts.delete'), id, readIfMatch(context.headers));
        return emptyReply;
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${onePath}/versions`,
      operationId: `list_${noun}_versions`,
      summary: summaries.versions,
      scope: 'prompts.read',
      query: resourcePageSchema,
      replies: { 200: listSchema(titled(`${title}Version`, versionSchema)) },
      handle: async ({ params: { id }, query }, context) => {
        const listed = await service.versions(resolveCaller(context, 'prompts.read'), id, resourcePage(query));
        const rows = showRows(`version of a ${noun}`, listed.rows, (each) => ({
          object: `${noun}-version`,
          id: each.id,
          [`${noun}_id`]: listed.row.id,
          version: each.number,
          version_description: each.description,
          ...version?.view({ ...listed, version: each }),
          is_published: each.number === listed.row.published,
          created_by: each.created_by,
          created_at: toSeconds(each.created_at),
        }));
        return listReply(listed.total, rows);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${onePath}/makeDefault`,
      operationId: `publish_${noun}`,
      summary: summaries.publish,
      scope: 'prompts.publish',
      headers: ifMatchSchema,
      body: versionBody,
      replies: { 200: changedSchema },
      replyHeaders: etagSchema,
      handle: async ({ params: { id }, body }, context) => {
        const caller = resolveCaller(context, 'prompts.publish');
        return changed(await service.publish(caller, id, body.version, readIfMatch(context.headers)));
      },
    }),
  ];
};
