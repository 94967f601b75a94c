import { gatewayError } from '../../../../schema/errors/errors.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { headerValue } from '../../../sdk/http/http.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { ok, pageBody } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { accountName, readAccount, virtualKeyHeader } from '../provider-requests/account.ts';
import { withRefusals } from '../provider-requests/provider-refusal.ts';
import type { WorkParts } from '../provider-requests/work-parts.ts';
import type { Listed } from './executors/executor.ts';
import { tuningAt } from './executors/executors.ts';
import { createJob, listJobs, listOfJob, runJob, type TuningCaller } from './fine-tuning-service.ts';
import { type NewJob, newJobSchema } from './job/new-job.ts';
import { checkpointsSchema, eventsSchema, jobSchema, jobsSchema } from './job/normalised.ts';

const scope = 'completions.write';
const shared = { scope, shared: true, headers: virtualKeyHeader } as const;

const pageSchema = (defaultLimit: number) =>
  ({
    type: 'object',
    properties: {
      after: { type: 'string', minLength: 1, description: 'The last id of the previous page.' },
      // OpenAI names no maximum: https://platform.openai.com/docs/api-reference/fine-tuning/list
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 1_000_000_000,
        default: defaultLimit,
        description: 'The maximum number of listed items; for jobs at most 100.',
      },
    },
  }) as const satisfies ParameterSchema;

const listed = ({ data, hasMore }: Listed) => ({ object: 'list', data, has_more: hasMore });

type Parts = Pick<WorkParts, 'store' | 'accountIds' | 'remoteIds' | 'fileCopies' | 'readView' | 'catalogue'>;

const readCaller = async (context: RouteContext, parts: Parts): Promise<TuningCaller> => {
  const { tenant } = resolveWorkspace(context, scope);
  const { headers, principal } = context;
  if (headerValue(headers, 'x-gw-config') !== undefined)
    throw gatewayError('invalid-header', {
      header: 'x-gw-config',
      reason: 'a fine-tuning job runs in the account that x-gw-virtual-key names, without a config.',
    });
  const account = await readAccount(parts, { tenant, name: accountName(headers), context });
  return { parts, tenant, keyId: principal.keyId, account, executor: tuningAt(account.provider) };
};

/** An error of the provider, with its status. */
const refusedSchema: ParameterSchema = { type: 'object', additionalProperties: true };

/** The state changes of an existing job. */
const moves = [
  { move: 'cancel', summary: 'Cancels a fine-tuning job.' },
  { move: 'pause', summary: 'Pauses a fine-tuning job, if its provider supports that.' },
  { move: 'resume', summary: 'Resumes a paused fine-tuning job.' },
] as const;

/** The routes of fine-tuning jobs. */
export const fineTuningRoutes = (parts: Parts): readonly ControlRoute[] =>
  withRefusals([
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/fine_tuning/jobs',
      operationId: 'create_fine_tuning_job',
      summary: 'Creates a fine-tuning job in the account that x-gw-virtual-key names.',
      idempotent: true,
      body: newJobSchema,
      replies: { 200: jobSchema, default: refusedSchema },
      handle: async ({ body }, context) =>
        ok(await createJob(await readCaller(context, parts), findObject(body) as unknown as NewJob)),
    }),
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/fine_tuning/jobs',
      operationId: 'list_fine_tuning_jobs',
      summary: 'Lists the jobs that the workspace has created in the account, the newest first.',
      query: pageSchema(20),
      replies: { 200: jobsSchema, default: refusedSchema },
      handle: async ({ query }, context) => ok(listed(await listJobs(await readCaller(context, parts), query))),
    }),
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/fine_tuning/jobs/{fine_tuning_job_id}',
      operationId: 'retrieve_fine_tuning_job',
      summary: 'Returns a fine-tuning job.',
      replies: { 200: jobSchema, default: refusedSchema },
      handle: async ({ params: { fine_tuning_job_id: id } }, context) =>
        ok(await runJob(await readCaller(context, parts), id, 'retrieve')),
    }),
    ...moves.map(({ move, summary }) =>
      defineRoute({
        ...shared,
        method: 'POST',
        path: `/fine_tuning/jobs/{fine_tuning_job_id}/${move}`,
        operationId: `${move}_fine_tuning_job`,
        summary,
        replies: { 200: jobSchema, default: refusedSchema },
        handle: async ({ params: { fine_tuning_job_id: id } }, context) =>
          ok(await runJob(await readCaller(context, parts), id, move)),
      }),
    ),
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints',
      operationId: 'list_fine_tuning_checkpoints',
      summary: 'Lists the checkpoints of a fine-tuning job.',
      query: pageSchema(10),
      replies: { 200: checkpointsSchema, default: refusedSchema },
      handle: async ({ params: { fine_tuning_job_id: id }, query }, context) => {
        const { data, hasMore } = await listOfJob(await readCaller(context, parts), { id, what: 'checkpoints' }, query);
        return ok(pageBody(data, hasMore));
      },
    }),
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/fine_tuning/jobs/{fine_tuning_job_id}/events',
      operationId: 'list_fine_tuning_events',
      summary: 'Lists the events of a fine-tuning job.',
      query: pageSchema(20),
      replies: { 200: eventsSchema, default: refusedSchema },
      handle: async ({ params: { fine_tuning_job_id: id }, query }, context) =>
        ok(listed(await listOfJob(await readCaller(context, parts), { id, what: 'events' }, query))),
    }),
  ]);
