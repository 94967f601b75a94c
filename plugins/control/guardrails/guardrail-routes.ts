import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { defineRoute } from '../../sdk/define-route.ts';
import type { KeyScope } from '../../sdk/exchange.ts';
import type { AnyRouteRow, JsonReply, RouteContext } from '../../sdk/route-row.ts';
import type { ControlParts } from '../control-parts.ts';
import { acting } from '../saved/acting.ts';
import { actingIn } from '../saved/named-workspace.ts';
import { slugSchema } from '../saved/new-slug.ts';
import { pageOf, pageSchema } from '../saved/paging.ts';
import { refuseZeros } from '../saved/refuse-zeros.ts';
import { emptyReply, listReply, nothingSchema, ok } from '../saved/replies.ts';
import type { GuardrailRow } from '../store/tables.ts';
import { checksSchema, outcomeSchema } from './guardrail-members.ts';
import type { GuardrailCaller } from './guardrail-parts.ts';
import { createGuardrailService } from './guardrail-service.ts';
import { guardrailHead, guardrailReplies, guardrailView } from './guardrail-view.ts';

const name = { type: 'string', minLength: 1, maxLength: 255, description: 'For people.' } as const;

const actions = {
  type: 'object',
  properties: {
    deny: { type: 'boolean', description: 'Refuse (status 446) when a check fails.' },
    async: { type: 'boolean', description: 'Run in the background: the answer does not wait.' },
    sequential: { type: 'boolean', description: 'One check after another, and no more once one fails.' },
    on_fail: { ...outcomeSchema, description: 'What follows when the checks fail.' },
    on_success: { ...outcomeSchema, description: 'What follows when the checks pass.' },
  },
} as const;

const created = {
  type: 'object',
  required: ['name', 'checks'],
  properties: {
    name,
    checks: checksSchema,
    actions: { ...actions, default: {} },
    slug: { ...slugSchema, description: 'What configs name it by; made of the name where absent.' },
    scope: {
      type: 'string',
      enum: ['workspace', 'organisation'],
      default: 'workspace',
      description: 'Whose it is: one of the organisation can be named in all of its workspaces.',
    },
    workspace_id: { type: 'string', description: 'The id or slug of its workspace; that of the request where absent.' },
  },
} as const;

const changed = { type: 'object', properties: { name, checks: checksSchema, actions } } as const;

const saved = ({ id, slug }: GuardrailRow): JsonReply => ok({ object: 'guardrail', id, slug });

/** What the validator has seen to be JSON. */
const toJson = (value: object): JsonObject => (isJsonObject(value as Json) ? (value as JsonObject) : {});

const callerOf = (context: RouteContext, scope: KeyScope): GuardrailCaller => ({
  ...acting(context, scope),
  reach: context.principal.reach,
});

/** The routes of saved guardrails. */
export const guardrailRoutes = (parts: ControlParts): readonly AnyRouteRow[] => {
  const { store } = parts;
  const guardrails = createGuardrailService(parts);
  return [
    defineRoute({
      method: 'POST',
      path: '/guardrails',
      operationId: 'create_guardrail',
      summary: 'Saves a guardrail for configs to name.',
      scope: 'guardrails.create',
      idempotent: true,
      body: created,
      replies: { 200: guardrailReplies.saved },
      handle: async ({ body }, context) => {
        refuseZeros(body);
        const { workspace_id, actions: wanted, ...rest } = body;
        const caller = callerOf(context, 'guardrails.create');
        const where = await actingIn(caller, workspace_id, { store, principal: context.principal });
        return saved(await guardrails.create({ ...caller, ...where }, { ...rest, actions: toJson(wanted) }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/guardrails',
      operationId: 'list_guardrails',
      summary: 'Lists the guardrails of the workspace and of its organisation without their checks, the newest first.',
      scope: 'guardrails.list',
      query: pageSchema,
      replies: { 200: guardrailReplies.guardrails },
      handle: async ({ query }, context) => {
        const { total, rows } = await guardrails.list(callerOf(context, 'guardrails.list'), pageOf(query));
        return listReply(total, rows.map(guardrailHead));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/guardrails/{slug}',
      operationId: 'get_guardrail',
      summary: 'A saved guardrail, by its slug or id.',
      scope: 'guardrails.read',
      replies: { 200: guardrailReplies.guardrail },
      handle: async ({ params: { slug } }, context) =>
        ok(guardrailView(await guardrails.get(callerOf(context, 'guardrails.read'), slug))),
    }),
    defineRoute({
      method: 'PUT',
      path: '/guardrails/{slug}',
      operationId: 'update_guardrail',
      summary: 'Changes a saved guardrail, whose checks must run wherever it is named; what is absent stays as it is.',
      scope: 'guardrails.update',
      body: changed,
      replies: { 200: guardrailReplies.saved },
      handle: async ({ params: { slug }, body }, context) => {
        refuseZeros(body);
        const { actions: wanted, ...rest } = body;
        const change = { ...rest, ...(wanted === undefined ? {} : { actions: toJson(wanted) }) };
        return saved(await guardrails.update(callerOf(context, 'guardrails.update'), slug, change));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/guardrails/{slug}',
      operationId: 'delete_guardrail',
      summary: 'Deletes a saved guardrail, unless something names it.',
      scope: 'guardrails.delete',
      replies: { 200: nothingSchema },
      handle: async ({ params: { slug } }, context) => {
        await guardrails.remove(callerOf(context, 'guardrails.delete'), slug);
        return emptyReply;
      },
    }),
  ];
};
