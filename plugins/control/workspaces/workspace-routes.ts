import { defineRoute } from '../../sdk/define-route.ts';
import type { RouteContext } from '../../sdk/route-row.ts';
import type { ControlRoute } from '../keys/control-route.ts';
import type { Scope } from '../keys/scopes.ts';
import { ownLimitMembers, ownLimitReplies } from '../policies/limit-members.ts';
import { slugSchema } from '../saved/new-slug.ts';
import { pageSchema } from '../saved/paging.ts';
import { rejectNulCharacters } from '../saved/reject-nul-characters.ts';
import { emptyReply, listOf, listReply, nothingSchema, ok, recordOf, seconds, text, titled } from '../saved/replies.ts';
import { resolveWorkspace } from '../saved/request-scope.ts';
import {
  configSchema,
  guardrailsSchema,
  judgedTurnsSchema,
  keepResponsesDaysSchema,
  keepResponsesSchema,
  metadataSchema,
} from './settings-schemas.ts';
import { createWorkspaceService, type WorkspaceAsker, type WorkspaceParts } from './workspace-service.ts';

const settings = {
  type: 'object',
  description: 'What requests in the workspace have if they do not say it. What is absent stays.',
  properties: {
    metadata: metadataSchema,
    config: configSchema,
    input_guardrails: guardrailsSchema,
    output_guardrails: guardrailsSchema,
    judged_turns: judgedTurnsSchema,
    keep_responses: keepResponsesSchema,
    keep_responses_days: keepResponsesDaysSchema,
  },
} as const;

const newWorkspace = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, slug: slugSchema, settings, ...ownLimitMembers },
} as const;

const change = { type: 'object', properties: { name: { type: 'string' }, settings, ...ownLimitMembers } } as const;

const named = { object: { const: 'workspace' }, id: text, slug: slugSchema } as const;

const workspace = titled(
  'Workspace',
  recordOf({
    ...named,
    ...{ name: text, organisation_id: text, settings, ...ownLimitReplies },
    ...{ created_at: seconds, last_updated_at: seconds },
  }),
);

const asking = (context: RouteContext, scope: Scope): WorkspaceAsker => ({
  requestScope: resolveWorkspace(context, scope),
  caller: context.principal,
});

/** The routes of the workspaces of the caller's organisation. */
export const workspaceRoutes = (parts: WorkspaceParts): readonly ControlRoute[] => {
  const service = createWorkspaceService(parts);
  return [
    defineRoute({
      method: 'POST',
      path: '/workspaces',
      operationId: 'create_workspace',
      summary: 'Makes a workspace.',
      scope: 'workspaces.create',
      idempotent: true,
      body: newWorkspace,
      replies: { 200: titled('SavedWorkspace', recordOf(named)) },
      handle: async ({ body }, context) => {
        rejectNulCharacters(body);
        const { object, id, slug } = await service.create(asking(context, 'workspaces.create'), body);
        return ok({ object, id, slug });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/workspaces',
      operationId: 'list_workspaces',
      summary: 'Lists the workspaces that your key reaches, the newest first.',
      scope: 'workspaces.list',
      query: pageSchema,
      replies: { 200: listOf(workspace) },
      handle: async ({ query }, context) => {
        const { total, data } = await service.list(asking(context, 'workspaces.list'), query);
        return listReply(total, data);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/workspaces/{workspace}',
      operationId: 'get_workspace',
      summary: 'A workspace, by id or slug.',
      scope: 'workspaces.read',
      replies: { 200: workspace },
      handle: async ({ params }, context) =>
        ok(await service.get(asking(context, 'workspaces.read'), params.workspace)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/workspaces/{workspace}',
      operationId: 'update_workspace',
      summary: 'Changes a workspace: what is absent stays, what is null is taken away.',
      scope: 'workspaces.update',
      body: change,
      replies: { 200: workspace },
      handle: async ({ params, body }, context) => {
        rejectNulCharacters(body);
        return ok(await service.update(asking(context, 'workspaces.update'), params.workspace, body));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/workspaces/{workspace}',
      operationId: 'delete_workspace',
      summary: 'Deletes a workspace that has no service keys and nothing saved.',
      scope: 'workspaces.delete',
      replies: { 200: nothingSchema },
      handle: async ({ params }, context) => {
        await service.delete(asking(context, 'workspaces.delete'), params.workspace);
        return emptyReply;
      },
    }),
  ];
};
