import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { conditionsSchema, groupBySchema } from '../../kernel/limits/conditions.ts';
import { rateLimitsSchema, usageLimitsSchema } from '../../kernel/limits/limit-members.ts';
import { resourcePageSchema } from '../../kernel/records/records.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { dryRunQuery, isDryRun } from '../../kernel/requests/dry-run.ts';
import { etagSchema, ifMatchSchema } from '../../kernel/requests/precondition.ts';
import { emptyReply, listReply, nothingSchema } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { PolicyRow } from '../../kernel/store/tables.ts';
import { archivePolicy, changePolicy, getPolicy, listPolicies, makePolicy, policyCaller } from './policy-handlers.ts';
import {
  entitiesQuery,
  entityParams,
  ifUnknownSchema,
  includeUsageSchema,
  nameSchema,
  organisationSchema,
  pageMembers,
  policyParams,
  statusSchema,
  workspaceSchema,
} from './policy-schemas.ts';
import { PolicyService } from './policy-service.ts';
import { entitiesReply, rateReplies, usageReplies } from './shown-policy.ts';
import { changedRate, changedUsage, type PolicyKind, validateRate, validateUsage } from './validate-policy.ts';

const { after } = resourcePageSchema.properties;

/** The routes that read policies. */
const readRoutes = (
  policies: PolicyService,
  kind: PolicyKind,
  {
    schemas,
    replies,
  }: {
    readonly schemas: Pick<typeof usageSchemas | typeof rateSchemas, 'listed' | 'read'>;
    readonly replies: typeof usageReplies;
  },
): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: `/policies/${kind}-limits`,
    operationId: `list_${kind}_policies`,
    summary: `Lists the ${kind} limit policies that your key can access, newest first.`,
    scope: 'policies.list',
    query: schemas.listed,
    replies: { 200: replies.policies },
    handle: ({ query }, context) => listPolicies(policies, query, context),
  }),
  defineRoute({
    method: 'GET',
    path: `/policies/${kind}-limits/{id}`,
    operationId: `get_${kind}_policy`,
    summary: `Returns a ${kind} limit policy.`,
    scope: 'policies.read',
    params: policyParams,
    query: schemas.read,
    replies: { 200: replies.policy },
    replyHeaders: etagSchema,
    handle: ({ params: { id }, query }, context) => getPolicy(policies, { id, query }, context),
  }),
];

/** The other routes that both kinds of policies have in common. */
const commonRoutes = (policies: PolicyService, kind: PolicyKind): readonly ControlRoute[] => [
  defineRoute({
    method: 'DELETE',
    path: `/policies/${kind}-limits/{id}`,
    operationId: `delete_${kind}_policy`,
    summary: `Archives a ${kind} limit policy, which then no longer applies.`,
    scope: 'policies.delete',
    params: policyParams,
    headers: ifMatchSchema,
    replies: { 200: nothingSchema },
    handle: ({ params: { id } }, context) => archivePolicy(policies, id, context),
  }),
  defineRoute({
    method: 'GET',
    path: `/policies/${kind}-limits/{id}/entities`,
    operationId: `list_${kind}_policy_entities`,
    summary: `Lists what each combination of values has used of a ${kind} limit policy since its counter was last reset.`,
    scope: 'policies.read',
    params: policyParams,
    query: entitiesQuery,
    replies: { 200: entitiesReply },
    handle: async ({ params: { id }, query }, context) => {
      const { total, data } = await policies.entities(policyCaller(context, 'policies.read'), id, query);
      return listReply(total, data);
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `/policies/${kind}-limits/{id}/entities/{entity}/reset`,
    operationId: `reset_${kind}_policy_entity`,
    summary: `Resets the counter of one combination of values of a ${kind} limit policy to 0.`,
    scope: 'policies.update',
    params: entityParams,
    replies: { 200: nothingSchema },
    handle: async ({ params: { id, entity } }, context) => {
      await policies.resetEntity(policyCaller(context, 'policies.update'), id, entity);
      return emptyReply;
    },
  }),
];

const { type, credit_limit, alert_threshold, periodic_reset, periodic_reset_days } = usageLimitsSchema.properties;

const usageSchemas = {
  created: {
    type: 'object',
    required: ['conditions', 'group_by', 'type', 'credit_limit'],
    properties: {
      ...{ name: nameSchema, conditions: conditionsSchema, group_by: groupBySchema },
      ...{ type, credit_limit, alert_threshold, periodic_reset, periodic_reset_days },
      ...{ if_unknown: ifUnknownSchema, workspace_id: workspaceSchema, organisation_id: organisationSchema },
    },
  },
  changed: {
    type: 'object',
    properties: {
      ...{ name: nameSchema, conditions: conditionsSchema },
      ...{ credit_limit, alert_threshold, periodic_reset, periodic_reset_days, if_unknown: ifUnknownSchema },
      reset_usage_for_value: {
        type: 'string',
        maxLength: 10_000,
        description: 'The value_key of the entity whose counter is set to 0.',
      },
    },
  },
  listed: {
    type: 'object',
    properties: { ...pageMembers, after, status: statusSchema, type, include_usage: includeUsageSchema },
  },
  read: { type: 'object', properties: { status: statusSchema, include_usage: includeUsageSchema } },
} as const;

type Bodies = Readonly<Record<'created' | 'changed', ParameterSchema>>;

/** The bodies that create and change a usage limit. */
export const usageBodies: Bodies = usageSchemas;

/** Creates the routes of usage limits. */
export const usagePolicyRoutes = (parts: ControlParts): readonly ControlRoute[] => {
  const policies = new PolicyService(parts, 'usage');
  return [
    {
      changesNothing: isDryRun,
      ...defineRoute({
        method: 'POST',
        path: '/policies/usage-limits',
        operationId: 'create_usage_policy',
        summary: 'Limits what the requests that meet conditions may cost, or how many tokens they may use.',
        scope: 'policies.create',
        idempotent: true,
        query: dryRunQuery,
        body: usageSchemas.created,
        replies: { 200: usageReplies.made },
        replyHeaders: etagSchema,
        handle: ({ query: { dry_run: isTrial }, body }, context) => {
          // Routes are declared before the parts that requests need.
          const { labels } = parts.overlay.saved;
          const validate = (now: number) => validateUsage(body, now, labels);
          return makePolicy(policies, body, { context, isTrial, labels, validate });
        },
      }),
    },
    ...readRoutes(policies, 'usage', { schemas: usageSchemas, replies: usageReplies }),
    {
      changesNothing: isDryRun,
      ...defineRoute({
        method: 'PUT',
        path: '/policies/usage-limits/{id}',
        operationId: 'update_usage_policy',
        summary: 'Changes a usage limit policy. Absent members stay as they are.',
        scope: 'policies.update',
        params: policyParams,
        headers: ifMatchSchema,
        query: dryRunQuery,
        body: usageSchemas.changed,
        replies: { 200: nothingSchema },
        replyHeaders: etagSchema,
        handle: ({ params: { id }, query: { dry_run: isTrial }, body }, context) => {
          const make = (row: PolicyRow, now: number) =>
            changedUsage(row, body, { now, labels: parts.overlay.saved.labels });
          return changePolicy(policies, id, { context, isTrial, make, resetValue: body.reset_usage_for_value });
        },
      }),
    },
    ...commonRoutes(policies, 'usage'),
  ];
};

const { type: counted, value } = rateLimitsSchema.items.properties;

const unit = { type: 'string', enum: ['rpm', 'rph', 'rpd'], description: 'Per minute, hour or day.' } as const;

const rateSchemas = {
  created: {
    type: 'object',
    required: ['conditions', 'group_by', 'type', 'unit', 'value'],
    properties: {
      ...{ name: nameSchema, conditions: conditionsSchema, group_by: groupBySchema },
      ...{ type: counted, unit, value },
      ...{ if_unknown: ifUnknownSchema, workspace_id: workspaceSchema, organisation_id: organisationSchema },
    },
  },
  changed: { type: 'object', properties: { name: nameSchema, unit, value, if_unknown: ifUnknownSchema } },
  listed: { type: 'object', properties: { ...pageMembers, after, status: statusSchema, type: counted, unit } },
  read: { type: 'object', properties: { status: statusSchema } },
} as const;

/** The bodies that create and change a rate limit. */
export const rateBodies: Bodies = rateSchemas;

/** Creates the routes of rate limits, which limit requests or tokens per period. */
export const ratePolicyRoutes = (parts: ControlParts): readonly ControlRoute[] => {
  const policies = new PolicyService(parts, 'rate');
  return [
    {
      changesNothing: isDryRun,
      ...defineRoute({
        method: 'POST',
        path: '/policies/rate-limits',
        operationId: 'create_rate_policy',
        summary: 'Limits how many of the requests that meet conditions, or of their tokens, are let through.',
        scope: 'policies.create',
        idempotent: true,
        query: dryRunQuery,
        body: rateSchemas.created,
        replies: { 200: rateReplies.made },
        replyHeaders: etagSchema,
        handle: ({ query: { dry_run: isTrial }, body }, context) => {
          const { labels } = parts.overlay.saved;
          return makePolicy(policies, body, { context, isTrial, labels, validate: () => validateRate(body, labels) });
        },
      }),
    },
    ...readRoutes(policies, 'rate', { schemas: rateSchemas, replies: rateReplies }),
    {
      changesNothing: isDryRun,
      ...defineRoute({
        method: 'PUT',
        path: '/policies/rate-limits/{id}',
        operationId: 'update_rate_policy',
        summary: 'Changes a rate limit policy. Absent members stay as they are.',
        scope: 'policies.update',
        params: policyParams,
        headers: ifMatchSchema,
        query: dryRunQuery,
        body: rateSchemas.changed,
        replies: { 200: nothingSchema },
        replyHeaders: etagSchema,
        handle: ({ params: { id }, query: { dry_run: isTrial }, body }, context) =>
          changePolicy(policies, id, { context, isTrial, make: (row) => changedRate(row, body) }),
      }),
    },
    ...commonRoutes(policies, 'rate'),
  ];
};
