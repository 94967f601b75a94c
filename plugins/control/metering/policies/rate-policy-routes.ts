import { defineRoute } from '../../../sdk/route/define-route.ts';
import { conditionsSchema, groupBySchema } from '../../kernel/limits/conditions.ts';
import { rateLimitsSchema } from '../../kernel/limits/limit-members.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { emptyReply, listReply, nothingSchema, ok } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { commonRoutes, policyCaller } from './common-routes.ts';
import { ifUnknownSchema, nameSchema, organisationSchema, workspaceSchema } from './policy-members.ts';
import { pageMembers, policyParams, statusSchema, toPolicyPage } from './policy-queries.ts';
import { createPolicyService } from './policy-service.ts';
import { rateReplies, toObject } from './shown-policy.ts';
import { changedRate, validateRate } from './validate-policy.ts';

const { type, value } = rateLimitsSchema.items.properties;

const unit = { type: 'string', enum: ['rpm', 'rph', 'rpd'], description: 'For each minute, hour or day.' } as const;

const created = {
  type: 'object',
  required: ['conditions', 'group_by', 'type', 'unit', 'value'],
  properties: {
    name: nameSchema,
    conditions: conditionsSchema,
    group_by: groupBySchema,
    ...{ type, unit, value, if_unknown: ifUnknownSchema },
    ...{ workspace_id: workspaceSchema, organisation_id: organisationSchema },
  },
} as const;

const changed = {
  type: 'object',
  properties: {
    ...{ name: nameSchema, unit, value, if_unknown: ifUnknownSchema },
  },
} as const;

const listed = { type: 'object', properties: { ...pageMembers, status: statusSchema, type, unit } } as const;

const read = { type: 'object', properties: { status: statusSchema } } as const;

/** The routes of limits of how many requests or tokens are let through in a time. */
export const ratePolicyRoutes = (parts: ControlParts): readonly ControlRoute[] => {
  const policies = createPolicyService(parts, 'rate');
  return [
    defineRoute({
      method: 'POST',
      path: '/policies/rate-limits',
      operationId: 'create_rate_policy',
      summary: 'Limits how many requests or tokens are let through of the requests that fulfil conditions.',
      scope: 'policies.create',
      idempotent: true,
      body: created,
      replies: { 200: rateReplies.made },
      handle: async ({ body }, context) => {
        const row = await policies.create(policyCaller(context, 'policies.create'), body, () => validateRate(body));
        return ok({ id: row.id, object: toObject(row) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/policies/rate-limits',
      operationId: 'list_rate_policies',
      summary: 'Lists the rate limit policies that your key reaches, the newest first.',
      scope: 'policies.list',
      query: listed,
      replies: { 200: rateReplies.policies },
      handle: async ({ query }, context) => {
        const asked = { ...query, page: toPolicyPage(query) };
        const { total, data } = await policies.list(policyCaller(context, 'policies.list'), asked);
        return listReply(total, data);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/policies/rate-limits/{id}',
      operationId: 'get_rate_policy',
      summary: 'A rate limit policy.',
      scope: 'policies.read',
      params: policyParams,
      query: read,
      replies: { 200: rateReplies.policy },
      handle: async ({ params: { id }, query }, context) =>
        ok(await policies.get(policyCaller(context, 'policies.read'), id, query)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/policies/rate-limits/{id}',
      operationId: 'update_rate_policy',
      summary: 'Changes a rate limit policy: what is absent stays.',
      scope: 'policies.update',
      params: policyParams,
      body: changed,
      replies: { 200: nothingSchema },
      handle: async ({ params: { id }, body }, context) => {
        const make = { make: (row: Parameters<typeof changedRate>[0]) => changedRate(row, body) };
        await policies.update(policyCaller(context, 'policies.update'), id, make);
        return emptyReply;
      },
    }),
    ...commonRoutes(policies, 'rate'),
  ];
};
