import type { PlanComparison } from '../../../../schema/forecast/plan-comparison.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { JsonReply } from '../../../sdk/route/route-row.ts';
import { fixedMemberSchema } from '../../kernel/records/fixed-members.ts';
import { slugSchema } from '../../kernel/records/new-slug.ts';
import { resolveNamedWorkspace, resourcePage, resourcePageSchema } from '../../kernel/records/records.ts';
import { searchedPage, searchedPageSchema } from '../../kernel/records/search.ts';
import { showRow, showRows } from '../../kernel/records/show-rows.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { diagnosticViews } from '../../kernel/requests/diagnostic-problems.ts';
import { dryRunQuery, isDryRun } from '../../kernel/requests/dry-run.ts';
import { etagSchema, ifMatchSchema, readIfMatch, withEtag } from '../../kernel/requests/precondition.ts';
import { refuse, rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { emptyReply, listReply, nothingSchema, ok } from '../../kernel/requests/replies.ts';
import { resolveCaller } from '../../kernel/requests/request-scope.ts';
import { compareRoute } from '../../kernel/resource/compare-route.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { versionedNames } from '../../kernel/resource/versioned-names.ts';
import { type ConfigText, createConfigService, type SavedConfig } from './config-service.ts';
import { configHead, configReplies, configView, toBounds, versionView } from './config-view.ts';
import { inBody, type ValidatedConfig } from './validate-config.ts';

const name = { type: 'string', minLength: 1, maxLength: 255, description: 'For people.' } as const;

const config = {
  type: 'object',
  additionalProperties: true,
  description: 'The config, at most 256 KB of JSON. Credentials are sealed, and returned as placeholders.',
} as const;

const isDefault = {
  type: 'boolean',
  description: 'Whether this config serves requests that name no config. A workspace has at most one such config.',
} as const;

const created = {
  type: 'object',
  required: ['name', 'config'],
  properties: {
    name,
    config,
    slug: { ...slugSchema, description: 'The name used in requests; derived from the display name if absent.' },
    is_default: { ...isDefault, default: false },
    workspace_id: {
      type: 'string',
      description: 'The id or slug of its workspace; if absent, the workspace of the request.',
    },
  },
} as const;

const changed = {
  type: 'object',
  properties: {
    name,
    config: { ...config, description: 'The new version; if absent, the config stays as it is.' },
    is_default: isDefault,
  },
} as const;

const changedOrRestored = {
  ...changed,
  properties: {
    ...changed.properties,
    slug: fixedMemberSchema(slugSchema),
    version: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'An earlier version, instead of `config`. It is saved again as a new one, with its own secrets.',
    },
  },
} as const;

const listed = {
  type: 'object',
  properties: {
    ...searchedPageSchema('configs', versionedNames).properties,
    is_default: { type: 'boolean', description: 'Only the config that is the default, or only the others.' },
  },
} as const;

/** Refuses a body with both a text and a version. */
const refuseBoth = ({ config, version }: ConfigText): void => {
  if (config === undefined || version === undefined) return;
  const message = 'A new version has either its own text or that of an earlier version.';
  refuse([{ pointer: toPointer(['version']), message, hint: 'Leave out "config" or "version".' }]);
};

/** The bodies that create and change a config. */
export const configBodies: Readonly<Record<'created' | 'changed', ParameterSchema>> = { created, changed };

const tried = (
  { result: { plan, diagnostics, secretPlaces } }: ValidatedConfig,
  comparison: PlanComparison | null = null,
): JsonReply =>
  ok({
    diagnostics: diagnosticViews(diagnostics, inBody),
    bounds: plan === undefined ? null : toBounds(plan),
    secrets: plan === undefined ? [] : secretPlaces.map(inBody),
    comparison: comparison && { ...comparison },
  });

const compared = {
  type: 'object',
  properties: {
    before: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'The number of a version; the one before `after` if absent.',
    },
    after: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'The number of a version; the one in service if absent.',
    },
  },
} as const;

const saved = ({ row, validated }: SavedConfig): JsonReply =>
  withEtag(row, {
    success: true,
    data: { object: 'config', id: row.id, slug: row.slug, version_id: row.version_id },
    diagnostics: diagnosticViews(validated?.result.diagnostics ?? [], inBody),
  });

/** Creates the routes of saved configs. */
export const configRoutes = (parts: ControlParts): readonly ControlRoute[] => {
  const configs = createConfigService(parts);
  return [
    {
      changesNothing: isDryRun,
      ...defineRoute({
        method: 'POST',
        path: '/configs',
        operationId: 'create_config',
        summary: 'Saves a config, or with dry_run only validates it.',
        scope: 'configs.create',
        idempotent: true,
        query: dryRunQuery,
        body: created,
        replies: { 200: configReplies.saved },
        replyHeaders: etagSchema,
        handle: async ({ query: { dry_run }, body }, context) => {
          rejectNulCharacters(body);
          const { workspace_id, ...wanted } = body;
          const caller = resolveCaller(context, 'configs.create');
          const place = {
            ...caller,
            ...(await resolveNamedWorkspace(caller, workspace_id, {
              store: parts.store,
              principal: context.principal,
            })),
          };
          return dry_run ? tried(await configs.tryNew(place, wanted)) : saved(await configs.create(place, wanted));
        },
      }),
    },
    defineRoute({
      method: 'GET',
      path: '/configs',
      operationId: 'list_configs',
      summary: 'Lists saved configs without their text, newest first.',
      scope: 'configs.list',
      query: listed,
      replies: { 200: configReplies.configs },
      handle: async ({ query }, context) => {
        rejectNulCharacters(query, 'query');
        const { is_default, ...page } = query;
        const caller = resolveCaller(context, 'configs.list');
        const { total, rows } = await configs.list(caller, searchedPage(page), is_default);
        return listReply(total, showRows('config', rows, configHead));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/configs/{slug}',
      operationId: 'get_config',
      summary: 'Returns a saved config, by its slug or id.',
      scope: 'configs.read',
      replies: { 200: configReplies.config },
      replyHeaders: etagSchema,
      handle: async ({ params: { slug } }, context) => {
        const { row, inService } = await configs.get({ caller: resolveCaller(context, 'configs.read'), name: slug });
        return withEtag(
          row,
          showRow('config', row, (each) => configView(each, inService)),
        );
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/configs/{slug}/versions',
      operationId: 'list_config_versions',
      summary: 'Lists the versions of a saved config, newest first.',
      scope: 'configs.read',
      query: {
        type: 'object',
        properties: {
          ...resourcePageSchema.properties,
          page_size: { ...resourcePageSchema.properties.page_size, maximum: 100 },
        },
      },
      replies: { 200: configReplies.versions },
      handle: async ({ params: { slug }, query }, context) => {
        const named = { caller: resolveCaller(context, 'configs.read'), name: slug };
        const { total, rows } = await configs.versions(named, resourcePage(query));
        return listReply(total, showRows('version of a config', rows, versionView));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/configs/{slug}/diff',
      operationId: 'compare_config_versions',
      summary: 'Returns what changes for requests between two versions of a saved config.',
      scope: 'configs.read',
      query: compared,
      replies: { 200: configReplies.comparison },
      handle: async ({ params: { slug }, query }, context) => {
        const named = { caller: resolveCaller(context, 'configs.read'), name: slug };
        const { comparison, ...versions } = await configs.compareVersions(named, query);
        return ok({ object: 'config-comparison', slug, ...versions, ...comparison });
      },
    }),
    {
      changesNothing: isDryRun,
      ...defineRoute({
        method: 'PUT',
        path: '/configs/{slug}',
        operationId: 'update_config',
        summary: 'Changes a saved config. A new text creates a new version, which is used immediately.',
        scope: 'configs.update',
        query: dryRunQuery,
        headers: ifMatchSchema,
        body: changedOrRestored,
        replies: { 200: configReplies.saved },
        replyHeaders: etagSchema,
        handle: async ({ params: { slug }, query: { dry_run }, body }, context) => {
          rejectNulCharacters(body);
          refuseBoth(body);
          const precondition = readIfMatch(context.headers);
          const named = { caller: resolveCaller(context, 'configs.update'), name: slug, precondition };
          if (!dry_run) return saved(await configs.update(named, body));
          const validated = await configs.tryChange(named, body);
          return tried(validated, await configs.compareChange(named, validated));
        },
      }),
    },
    compareRoute(
      {
        ...{ noun: 'config', path: '/configs', operationId: 'compare_config', scope: 'configs.update' },
        params: { type: 'object', properties: { slug: { type: 'string' } } },
      },
      parts,
      (name, context) => configs.secrets({ caller: resolveCaller(context, 'configs.update'), name }),
    ),
    defineRoute({
      method: 'DELETE',
      path: '/configs/{slug}',
      operationId: 'delete_config',
      summary: 'Deletes a saved config with all of its versions, unless it is a default.',
      scope: 'configs.delete',
      headers: ifMatchSchema,
      replies: { 200: nothingSchema },
      handle: async ({ params: { slug } }, context) => {
        const precondition = readIfMatch(context.headers);
        await configs.remove({ caller: resolveCaller(context, 'configs.delete'), name: slug, precondition });
        return emptyReply;
      },
    }),
  ];
};
