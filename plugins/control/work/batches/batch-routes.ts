import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { JsonReply, RouteContext } from '../../../sdk/route/route-row.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { refuse, rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { forwardedReplies, ok } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { contentHeaders } from '../files/file-content.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import { accountName, readAccount, virtualKeyHeader } from '../provider-requests/account.ts';
import { withRefusals } from '../provider-requests/provider-refusal.ts';
import type { WorkParts } from '../provider-requests/work-parts.ts';
import { batchListSchema, batchSchema, listSchema, longNames, newBatchSchema } from './batch/batch-bodies.ts';
import type { BatchCall, Executor } from './batch/executor.ts';
import { toExecutors } from './executors.ts';

const findId = (batch: object | undefined): string | undefined =>
  batch !== undefined && 'id' in batch && typeof batch.id === 'string' ? batch.id : undefined;

/** Lists the batches of each executor, one after another, starting after the id `after`. */
const listBatches = async (
  executors: readonly Executor[],
  call: BatchCall,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<JsonReply> => {
  const first = after === undefined ? 0 : executors.findIndex((each) => each.owns(after));
  const data: object[] = [];
  let hasMore = false;
  for (const [at, executor] of executors.slice(first).entries()) {
    // One more than fits, to find out whether there are more.
    const page = await executor.list(call, {
      after: at === 0 ? after : undefined,
      limit: Math.max(limit - data.length, 1),
    });
    hasMore = page.hasMore || (data.length === limit && page.data.length > 0);
    data.push(...page.data.slice(0, limit - data.length));
    if (hasMore) break;
  }
  const [firstId, lastId] = [findId(data[0]), findId(data.at(-1))];
  return ok({
    ...{ object: 'list', data, has_more: hasMore },
    ...(firstId === undefined ? {} : { first_id: firstId }),
    ...(lastId === undefined ? {} : { last_id: lastId }),
  });
};

const scope = 'completions.write';

const toCall = (parts: WorkParts, context: RouteContext): BatchCall => {
  const { tenant } = resolveWorkspace(context, scope);
  const name = accountName(context.headers);
  return { tenant, context, account: () => readAccount(parts, { tenant, name, context }) };
};

/** A batch of the gateway, or whatever a provider returns. */
const replies = { 200: batchSchema, default: forwardedReplies } as const;

/** The routes of batches, whoever runs them. */
export const batchRoutes = (parts: WorkParts): readonly ControlRoute[] => {
  const executors = toExecutors(parts);
  return withRefusals([
    defineRoute({
      method: 'POST',
      path: '/batches',
      operationId: 'create_batch',
      summary: 'Runs the requests in a file.',
      ...{ scope, shared: true, idempotent: true, headers: virtualKeyHeader },
      body: newBatchSchema,
      replies,
      handle: async ({ body }, context) => {
        const call = toCall(parts, context);
        const account = await call.account();
        const unused = (name: 'role_arn' | 'model', message: string): readonly InputProblem[] =>
          body[name] === undefined ? [] : [{ pointer: toPointer([name]), message, hint: 'Omit it.' }];
        const hasFileModel = account.provider === 'cohere' && !isOwnFile(body.input_file_id);
        refuse([
          ...(executors.takesRole(account, body)
            ? []
            : unused('role_arn', `This batch at ${account.provider} does not use "role_arn".`)),
          ...(hasFileModel ? [] : unused('model', 'The lines of this file name their model themselves.')),
          ...longNames(body.metadata).map((name) => ({
            pointer: toPointer(['metadata', name]),
            message: 'A member of metadata has a name of more than 64 characters.',
            hint: 'Use a shorter name.',
          })),
        ]);
        return executors.forNew(account, body).create(call, body);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/batches',
      operationId: 'list_batches',
      summary: 'Lists the batches that your workspace has created with a provider, the newest first.',
      ...{ scope, shared: true, headers: virtualKeyHeader },
      query: listSchema,
      replies: { 200: batchListSchema, default: forwardedReplies },
      handle: async ({ query }, context) => {
        rejectNulCharacters(query, 'query');
        return listBatches(executors.all, toCall(parts, context), query);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/batches/{id}',
      operationId: 'get_batch',
      summary: 'Returns a batch.',
      ...{ scope, shared: true, headers: virtualKeyHeader },
      replies,
      handle: async ({ params: { id } }, context) => executors.of(id).retrieve(toCall(parts, context), id),
    }),
    defineRoute({
      method: 'GET',
      path: '/batches/{id}/output',
      operationId: 'get_batch_output',
      summary: 'Returns the results of the successful requests of a batch, as JSON lines.',
      ...{ scope, shared: true, headers: virtualKeyHeader },
      replies: { 200: 'bytes', 206: 'bytes', default: forwardedReplies },
      replyHeaders: contentHeaders,
      handle: async ({ params: { id } }, context) => executors.of(id).output(toCall(parts, context), id),
    }),
    defineRoute({
      method: 'POST',
      path: '/batches/{id}/cancel',
      operationId: 'cancel_batch',
      summary: 'Cancels a batch. The results so far are in its files.',
      ...{ scope, shared: true, headers: virtualKeyHeader },
      replies,
      handle: async ({ params: { id } }, context) => executors.of(id).cancel(toCall(parts, context), id),
    }),
  ]);
};
