import { defineRoute } from '../../../sdk/route/define-route.ts';
import { conditionsSchema, groupBySchema } from '../../kernel/limits/conditions.ts';
import { usageLimitsSchema } from '../../kernel/limits/limit-members.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { emptyReply, listReply, nothingSchema, ok } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { commonRoutes, policyCaller } from './common-routes.ts';
import { ifUnknownSchema, nameSchema, organisationSchema, workspaceSchema } from './policy-members.ts';
import { includeUsageSchema, pageMembers, policyParams, statusSchema, toPolicyPage } from './policy-queries.ts';
import { createPolicyService } from './policy-service.ts';
import { toObject, usageReplies } from './shown-policy.ts';
import { changedUsage, validateUsage } from './validate-policy.ts';

const { type, credit_limit, alert_threshold, periodic_reset, periodic_reset_days } = usageLimitsSchema.properties;

const created = {
  type: 'object',
  required: ['conditions', 'group_by', 'type', 'credit_limit'],
  properties: {
    name: nameSchema,
    conditions: conditionsSchema,
    group_by: groupBySchema,
    ...{ type, credit_limit, alert_threshold, periodic_reset, periodic_reset_days },
    if_unknown: ifUnknownSchema,
    ...{ workspace_id: workspaceSchema, organisation_id: organisationSchema },
  },
} as const;

const changed = {
  type: 'object',
  properties: {
    name: nameSchema,
    conditions: conditionsSchema,
    ...{ credit_limit, alert_threshold, periodic_reset, periodic_reset_days },
    if_unknown: ifUnknownSchema,
    reset_usage_for_value: {
      type: 'string',
      maxLength: 10_000,
      description: 'The value_key of an entity, whose counter is set to 0.',
    },
  },
} as const;

const listed = {
  type: 'object',
  properties: { ...pageMembers, status: statusSchema, type, include_usage: includeUsageSchema },
} as const;

const read = { type: 'object', properties: { status: statusSchema, include_usage: includeUsageSchema } } as const;

/** The routes of limits of what may be used. */
export const usagePolicyRoutes = (parts: ControlParts): readonly ControlRoute[] => {
  const policies = createPolicyService(parts, 'usage');
  return [
    defineRoute({
      method: 'POST',
      path: '/policies/usage-limits',
      operationId: 'create_usage_policy',
      summary: 'Limits what the requests that fulfil conditions may cost, or how many tokens they may use.',
      scope: 'policies.create',
      idempotent: true,
      body: created,
      replies: { 200: usageReplies.made },
      handle: async ({ body }, context) => {
        const row = await policies.create(policyCaller(context, 'policies.create'), body, (now) =>
          validateUsage(body, now),
        );
        return ok({ id: row.id, object: toObject(row) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/policies/usage-limits',
      operationId: 'list_usage_policies',
      summary: 'Lists the usage limit policies that your key reaches, the newest first.',
      scope: 'policies.list',
      query: listed,
      replies: { 200: usageReplies.policies },
      handle: async ({ query }, context) => {
        const asked = { ...query, page: toPolicyPage(query) };
        const { total, data } = await policies.list(policyCaller(context, 'policies.list'), asked);
        return listReply(total, data);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/policies/usage-limits/{id}',
      operationId: 'get_usage_policy',
      summary: 'A usage limit policy.',
      scope: 'policies.read',
      params: policyParams,
      query: read,
      replies: { 200: usageReplies.policy },
      handle: async ({ params: { id }, query }, context) =>
        ok(await policies.get(policyCaller(context, 'policies.read'), id, query)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/policies/usage-limits/{id}',
      operationId: 'update_usage_policy',
      summary: 'Changes a usage limit policy: what is absent stays.',
      scope: 'policies.update',
      params: policyParams,
      body: changed,
      replies: { 200: nothingSchema },
      handle: async ({ params: { id }, body }, context) => {
        await policies.update(policyCaller(context, 'policies.update'), id, {
          make: (row, now) => changedUsage(row, body, now),
          resetValue: body.reset_usage_for_value,
        });
        return emptyReply;
      },
    }),
    ...commonRoutes(policies, 'usage'),
  ];
};
