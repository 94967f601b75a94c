import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { pageSchema } from '../../kernel/records/records.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { withProviderId } from '../../kernel/requests/provider-query.ts';
import { rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, ok, orNull, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { reportUsage } from './usage-service.ts';

/** A second of the year 5138. Later values are assumed to be milliseconds. */
const latestSeconds = 100_000_000_000;

const only = (what: string) => ({ type: 'string', description: `Only attempts ${what}.` }) as const;

const query = {
  type: 'object',
  properties: {
    ...pageSchema.properties,
    from: {
      type: 'integer',
      minimum: 0,
      maximum: latestSeconds,
      description:
        'The start, in seconds since the epoch. Only whole hours count, or with a label whole days. 30 days before "to" if absent.',
    },
    to: {
      type: 'integer',
      minimum: 0,
      maximum: latestSeconds,
      description: 'The end, in the same form; now if absent.',
    },
    group_by: {
      type: 'array',
      items: { type: 'string' },
      description:
        'The dimensions that sums are grouped by: workspace, key, model, provider, config, day, hour and one metadata.NAME, separated by commas.',
    },
    workspace_id: { type: 'string', description: 'Only attempts in the workspace with this id or slug.' },
    key: only('with the key with this id'),
    model: only('that requested this model'),
    provider: only('at this provider'),
    config: only('with this config'),
    metadata: { type: 'string', description: 'Only attempts with this label: NAME=VALUE.' },
  },
} as const;

const count = { type: 'integer' } as const;

const sums: { readonly [name: string]: ParameterSchema } = {
  ...{ requests: count, attempts: count, input_tokens: count, cache_read_tokens: count, cache_write_tokens: count },
  ...{ audio_tokens: count, output_tokens: count, reasoning_tokens: count },
  cost: { type: 'string', description: 'US dollars, in decimal digits.' },
  nano_usd: { type: 'string', description: 'The same in billionths of a US dollar.' },
  unpriced: { type: 'integer', description: 'Attempts that used something without a known price.' },
  ...{ reported: count, partial: count, estimated: count, none: count },
};

const group: ParameterSchema = {
  title: 'UsageGroup',
  ...objectSchema(sums, {
    ...{ workspace: textOrNull, key: textOrNull, model: text, provider: text, config: textOrNull },
    ...{ day: orNull(seconds), hour: orNull(seconds) },
    is_other: {
      type: 'boolean',
      description:
        'Whether the row combines the values of the label that are too long, or that exceed the number of values per day.',
    },
  }),
  additionalProperties: textOrNull,
};

const reply = titled(
  'UsageReport',
  objectSchema(
    {
      object: { const: 'list' },
      ...{ from: seconds, to: seconds },
      attempts_from: {
        ...orNull(seconds),
        description: 'Since when single attempts are kept, in seconds since the epoch. Sums are kept for 400 days.',
      },
      total: { type: 'integer', description: 'How many groups there are on all pages.' },
      data: { type: 'array', items: group },
      summary: titled('UsageSums', objectSchema(sums)),
    },
    {
      note: {
        type: 'string',
        description:
          'For people: present if no request has the requested label; names a declared label that is like it.',
      },
    },
  ),
);

/** Creates the route that reports usage. */
export const usageRoutes = (
  parts: Pick<ControlParts, 'store' | 'now' | 'overlay' | 'catalogue'>,
): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/usage',
    operationId: 'get_usage',
    summary: 'Returns what was used and what it cost, by key, model, provider, config, time or label.',
    scope: 'analytics.view',
    query,
    replies: { 200: reply },
    handle: async ({ query: asked }, context) => {
      rejectNulCharacters(asked, 'query');
      const requestScope = resolveWorkspace(context, 'analytics.view');
      const { saved } = parts.overlay;
      return ok(
        await reportUsage(
          { ...parts, requestScope, caller: context.principal, labels: saved.labels },
          withProviderId(asked, parts.catalogue),
        ),
      );
    },
  }),
];
