import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../../sdk/http/http.ts';
import { toStoredCaller } from '../../../access/identity/principal-now.ts';
import type { Reading } from '../../../kernel/records/records.ts';
import { showRow } from '../../../kernel/records/show-rows.ts';
import { conflict, notFound, queryFault } from '../../../kernel/requests/refusals.ts';
import { ok } from '../../../kernel/requests/replies.ts';
import { toSeconds } from '../../../kernel/requests/to-seconds.ts';
import { isId, newId } from '../../../kernel/store/new-id.ts';
import type { BatchRow } from '../../../kernel/store/tables.ts';
import { fileContent } from '../../files/file-content.ts';
import type { WorkParts } from '../../provider-requests/work-parts.ts';
import { isOver, nothingUsed, openMetadata, sealMetadata, timeNames, usageView } from '../batch/batch-members.ts';
import { fileError } from '../batch/check-lines.ts';
import type { Executor } from '../batch/executor.ts';
import { changeBatch, findBatch, kinds, listBatchRows, runEndJobNow } from './batch-store.ts';
import { linePlan } from './line-plan.ts';

/** Converts a batch to its wire form, with its metadata, which is sealed in its row. Members that are not known yet are absent. */
const toBatchView = (row: BatchRow, metadata: JsonObject | undefined): JsonObject => ({
  id: row.id,
  object: 'batch',
  endpoint: row.endpoint,
  ...(row.errors === null ? {} : { errors: { object: 'list', data: fromJson(row.errors) } }),
  input_file_id: row.input_file_id,
  completion_window: row.completion_window,
  status: row.status,
  ...(row.output_file_id === null ? {} : { output_file_id: row.output_file_id }),
  ...(row.error_file_id === null ? {} : { error_file_id: row.error_file_id }),
  created_at: toSeconds(row.created_at),
  ...Object.fromEntries(timeNames.flatMap((name) => (row[name] === null ? [] : [[name, toSeconds(row[name])]]))),
  request_counts: { total: row.total, completed: row.completed, failed: row.failed },
  ...(metadata === undefined ? {} : { metadata }),
  executor: 'managed',
  ...usageView(row),
});

/** The ids of batches that the gateway runs have a UUID after this. */
const prefix = 'gw-batch-';

const windowMs = 86_400_000;

const nothingYet = {
  ...{ ending: null, errors: null, output_file_id: null, error_file_id: null, total: 0, completed: 0, failed: 0 },
  ...{ parts: 0, lanes_left: 0, ...nothingUsed },
  ...{ in_progress_at: null, finalizing_at: null, completed_at: null, failed_at: null, expired_at: null },
  ...{ cancelling_at: null, cancelled_at: null },
} as const;

const howToUpload = 'Upload the lines with POST /v1/files, the header x-gw-provider: gw and the purpose batch.';

const noOutput: GatewayResponse = {
  ...{ status: 200, headers: ['content-type', 'application/octet-stream'], origin: 'gateway' },
  body: { kind: 'bytes', bytes: Buffer.alloc(0) },
};

/** Runs batches whose lines the gateway sends itself. */
export const managedExecutor = (parts: WorkParts): Executor => {
  const { store, sealer, files, jobs, now, readView, overlay } = parts;

  const view = async (row: BatchRow): Promise<JsonObject> => {
    const at = { table: 'batches', tenant: row.workspace_id, id: row.id } as const;
    const metadata = await openMetadata(sealer, row.metadata, at);
    return showRow('batch', row, (each) => toBatchView(each, metadata));
  };

  const find = async (db: Reading, tenant: TenantId, id: string): Promise<BatchRow> => {
    const row = await findBatch(db, { id, tenant });
    if (row === undefined) throw notFound('batch', id, 'GET /v1/batches');
    return row;
  };

  return {
    owns: (id) => id.startsWith('gw-'),

    async create(call, body) {
      const { tenant, context } = call;
      const { input_file_id, endpoint, completion_window, metadata, output_expires_after: expiry } = body;
      const file = await files.find(tenant, input_file_id);
      if (file === undefined)
        throw fileError(`Your workspace has no file "${input_file_id}" at the gateway.`, howToUpload);
      if (file.purpose !== 'batch')
        throw fileError(`The purpose of the file "${input_file_id}" is ${file.purpose}.`, howToUpload);
      const account = await call.account();
      const createdAt = now();
      const id = prefix + newId(createdAt);
      const plan = linePlan(
        { headers: context.headers, options: body.gw_options },
        { account, view: await readView(tenant), fileConfigs: overlay.configNames() },
      );
      const row: BatchRow = {
        ...nothingYet,
        ...{ id, workspace_id: tenant, slug: account.slug, endpoint, completion_window, input_file_id },
        ...{ status: 'validating', plan: JSON.stringify(plan) },
        metadata: await sealMetadata(sealer, metadata, { table: 'batches', tenant, id }),
        creator: JSON.stringify(toStoredCaller(context.principal)),
        keep_ms: expiry === undefined ? null : expiry.seconds * 1000,
        ...{ created_at: createdAt, expires_at: createdAt + windowMs },
      };
      await store.write(async (writing) => {
        await writing.insertInto('batches').values(row).execute();
        const job = { id, tenant, payload: { batch: id } };
        await jobs.add(writing, { ...job, kind: kinds.check });
        await jobs.add(writing, { ...job, kind: kinds.end, runAt: row.expires_at });
      });
      jobs.wake();
      return ok(await view(row));
    },

    retrieve: async ({ tenant }, id) => ok(await view(await find(store.db, tenant, id))),

    async cancel({ tenant }, id) {
      const row = await store.write(async (writing) => {
        const before = await find(writing, tenant, id);
        if (isOver(before))
          throw conflict(
            `The batch ${id} is ${before.status} and cannot be cancelled.`,
            'Its files contain the results so far.',
          );
        if (before.status === 'cancelling') return before;
        const change = { status: 'cancelling', ending: before.ending ?? 'cancelled', cancelling_at: now() } as const;
        await changeBatch(writing, id, change);
        await runEndJobNow(jobs, writing, id);
        return { ...before, ...change };
      });
      jobs.wake();
      return ok(await view(row));
    },

    async output({ tenant, context }, id) {
      const row = await find(store.db, tenant, id);
      if (!isOver(row))
        throw conflict(
          `The batch ${id} is ${row.status}.`,
          'Its output is available when it has ended: GET /v1/batches/{id}.',
        );
      const file = row.output_file_id === null ? undefined : await files.find(tenant, row.output_file_id);
      return file === undefined ? noOutput : fileContent(parts, file, context);
    },

    async list({ tenant, account }, { after, limit }) {
      if (after !== undefined && !(after.startsWith(prefix) && isId(after.slice(prefix.length))))
        throw queryFault('after', 'This is not the id of a batch of the gateway.', 'Send the last_id of a page.');
      const { slug } = await account();
      const rows = await listBatchRows(store.db, { tenant, slug, after, limit });
      return { data: await Promise.all(rows.slice(0, limit).map(view)), hasMore: rows.length > limit };
    },
  };
};
