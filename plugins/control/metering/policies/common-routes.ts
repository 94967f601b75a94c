import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { emptyReply, listReply, nothingSchema } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import type { Scope } from '../../kernel/requests/scopes.ts';
import { entitiesQuery, entityParams, policyParams, toPolicyPage } from './policy-queries.ts';
import type { PolicyCaller, PolicyService } from './policy-service.ts';
import { entitiesReply } from './shown-policy.ts';
import type { PolicyKind } from './validate-policy.ts';

export const policyCaller = (context: RouteContext, scope: Scope): PolicyCaller => ({
  ...resolveWorkspace(context, scope),
  principal: context.principal,
});

/** The routes that both kinds of policies have alike. */
export const commonRoutes = (policies: PolicyService, kind: PolicyKind): readonly ControlRoute[] => [
  defineRoute({
    method: 'DELETE',
    path: `/policies/${kind}-limits/{id}`,
    operationId: `delete_${kind}_policy`,
    summary: `Archives a ${kind} limit policy, which limits nothing any more.`,
    scope: 'policies.delete',
    params: policyParams,
    replies: { 200: nothingSchema },
    handle: async ({ params: { id } }, context) => {
      await policies.archive(policyCaller(context, 'policies.delete'), id);
      return emptyReply;
    },
  }),
  defineRoute({
    method: 'GET',
    path: `/policies/${kind}-limits/{id}/entities`,
    operationId: `list_${kind}_policy_entities`,
    summary: `What each combination of values has used of a ${kind} limit policy since its counter began.`,
    scope: 'policies.read',
    params: policyParams,
    query: entitiesQuery,
    replies: { 200: entitiesReply },
    handle: async ({ params: { id }, query }, context) => {
      const asked = { status: query.status, search: query.search, page: toPolicyPage(query) };
      const { total, data } = await policies.entities(policyCaller(context, 'policies.read'), id, asked);
      return listReply(total, data);
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `/policies/${kind}-limits/{id}/entities/{entity}/reset`,
    operationId: `reset_${kind}_policy_entity`,
    summary: `Sets the counter of one combination of values of a ${kind} limit policy to 0.`,
    scope: 'policies.update',
    params: entityParams,
    replies: { 200: nothingSchema },
    handle: async ({ params: { id, entity } }, context) => {
      await policies.resetEntity(policyCaller(context, 'policies.update'), id, entity);
      return emptyReply;
    },
  }),
];
