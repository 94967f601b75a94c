import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { listLeaves } from '../../../../schema/plan/list-leaves.ts';
import type { RoutingPlan } from '../../../../schema/plan/plan.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { diagnosticSchema } from '../../kernel/requests/diagnostic-problems.ts';
import { listSchema, objectSchema, orNull, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { ConfigRow, ConfigVersionRow } from '../../kernel/store/tables.ts';

/** The limits of the cost of a request through a config. */
const boundsSchema = {
  type: 'object',
  required: ['leaves', 'attempts', 'longest_ms'],
  properties: {
    leaves: { type: 'integer', description: 'The number of targets that can answer, counting each occurrence.' },
    attempts: { type: 'integer', description: 'The maximum number of requests to providers for one request.' },
    longest_ms: {
      type: 'integer',
      description: 'The longest time until an answer begins, in milliseconds, if every attempt times out.',
    },
  },
} as const;

const diagnostics = { type: 'array', items: diagnosticSchema } as const;

const head = {
  object: { type: 'string', const: 'config' },
  id: text,
  slug: text,
  name: text,
  workspace_id: text,
  is_default: { type: 'boolean' },
  version_id: { type: 'string', description: 'The version in service: the newest.' },
  created_at: seconds,
  last_updated_at: seconds,
} as const;

const version = {
  object: { type: 'string', const: 'config-version' },
  id: text,
  version: { type: 'integer', description: 'Its number; the first is 1.' },
  config: { type: 'string', description: 'The config as JSON, with placeholders for its secrets.' },
  created_by: { ...textOrNull, description: 'The id of the key that saved it.' },
  created_at: seconds,
} as const;

const lines = { type: 'array', items: text } as const;

/** How a config's handling of requests changes. */
const comparison = {
  same: { type: 'boolean', description: 'Whether nothing changes and everything was compared.' },
  complete: { type: 'boolean', description: 'Whether everything was compared.' },
  text: { type: 'string', description: 'A readable text, as gw diff prints it.' },
  changes: {
    type: 'array',
    description: 'The first 50 kinds of requests that are handled differently.',
    items: {
      type: 'object',
      required: ['kind', 'requests', 'before', 'after'],
      properties: {
        kind: {
          type: 'string',
          enum: ['route', 'settings', 'state'],
          description:
            'The request makes other calls; makes the same calls with other settings; or is treated the same until targets are unavailable.',
        },
        requests: { type: 'string', description: 'The requests, in words.' },
        before: lines,
        after: lines,
        example: { type: 'object', additionalProperties: true, description: 'The facts of such a request.' },
      },
    },
  },
} as const;

const comparisonSchema = titled('ConfigComparison', objectSchema(comparison));

/** The replies of the routes of configs. */
export const configReplies: Readonly<
  Record<'config' | 'configs' | 'versions' | 'saved' | 'comparison', ParameterSchema>
> = {
  comparison: titled(
    'ConfigVersionsComparison',
    objectSchema({
      object: { type: 'string', const: 'config-comparison' },
      ...{ slug: text, before: { type: 'integer' }, after: { type: 'integer' } },
      ...comparison,
      changes: comparison.changes,
    }),
  ),
  config: titled(
    'Config',
    objectSchema({
      ...head,
      version: { type: 'integer', description: 'The number of the version in service.' },
      config: { type: 'object', additionalProperties: true, description: 'With placeholders for its secrets.' },
    }),
  ),
  configs: listSchema(titled('ConfigSummary', objectSchema(head))),
  versions: listSchema(titled('ConfigVersion', objectSchema(version))),
  saved: {
    anyOf: [
      titled(
        'SavedConfig',
        objectSchema({
          success: { type: 'boolean', const: true },
          data: objectSchema({
            object: { type: 'string', const: 'config' },
            id: text,
            slug: text,
            version_id: text,
          }),
          diagnostics: { ...diagnostics, description: 'Warnings.' },
        }),
      ),
      titled(
        'ConfigDryRun',
        objectSchema({
          diagnostics: { ...diagnostics, description: 'The errors and warnings for the config.' },
          bounds: { ...orNull(boundsSchema), description: 'Null if it has errors.' },
          secrets: { type: 'array', items: text, description: 'The places of the secrets that would be sealed.' },
          comparison: {
            ...orNull(comparisonSchema),
            description:
              'What would change compared with the version in service; null for a new config, or if one of the two has errors.',
          },
        }),
      ),
    ],
    description: 'What was saved; with dry_run, the result of the validation.',
  },
};

export const configHead = (row: ConfigRow): JsonObject => ({
  object: 'config',
  id: row.id,
  slug: row.slug,
  name: row.name,
  workspace_id: row.workspace_id,
  is_default: row.is_default === 1,
  version_id: row.version_id,
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

export const configView = (row: ConfigRow, inService: ConfigVersionRow): JsonObject => ({
  ...configHead(row),
  version: inService.number,
  config: fromJson(inService.text) as Json,
});

export const versionView = (row: ConfigVersionRow): JsonObject => ({
  object: 'config-version',
  id: row.id,
  version: row.number,
  config: row.text,
  created_by: row.created_by,
  created_at: toSeconds(row.created_at),
});

export const toBounds = ({ root, bounds }: Pick<RoutingPlan, 'root' | 'bounds'>): JsonObject => ({
  leaves: listLeaves(root).length,
  attempts: bounds.calls,
  longest_ms: bounds.waitMs,
});
