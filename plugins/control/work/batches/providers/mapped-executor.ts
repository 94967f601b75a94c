import type { GatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { RouteReply } from '../../../../sdk/route/route-row.ts';
import { orUndo } from '../../../kernel/records/records.ts';
import { IteratedBody } from '../../../kernel/requests/iterated-body.ts';
import { conflict, notFound } from '../../../kernel/requests/refusals.ts';
import { ok } from '../../../kernel/requests/replies.ts';
import { toSeconds } from '../../../kernel/requests/to-seconds.ts';
import type { ProviderBatchRow } from '../../../kernel/store/tables.ts';
import { fileContent } from '../../files/file-content.ts';
import { isOwnFile } from '../../files/is-own-file.ts';
import { readId, requireSame } from '../../provider-requests/request-json.ts';
import type { WorkParts } from '../../provider-requests/work-parts.ts';
import { isLost, requireResults } from '../batch/batch-lines.ts';
import { isOver, openMetadata, sealMetadata } from '../batch/batch-members.ts';
import type { ProviderCall, ProviderExecutor } from '../batch/executor.ts';
import { type LineCodec, lineCodec, lineEdits } from '../batch/line-codec.ts';
import type { BatchAdapter, BatchContext, ProviderResult, RemoteBatch } from './batch-adapter.ts';
import { batchInput, inputLines } from './input-lines.ts';
import { listedBatches } from './listed-batches.ts';
import { findKept, readUsage, recordBatch, rejectDuplicateId, runWatchJobNow, toPlace } from './watched-batches.ts';

/** Returns the status members of a batch, which is finalizing until its results are in files of the gateway. */
const toProgress = ({ status, members }: RemoteBatch, { is_collected }: ProviderBatchRow): JsonObject => {
  if (!isOver({ status }) || is_collected === 1) return { status, ...members };
  const { [`${status}_at`]: _endedAt, ...before } = members;
  return { status: 'finalizing', ...before };
};

/**
 * Shows a batch as being cancelled from the time when its provider agreed to cancel it, if the provider does not report that yet,
 * or not since when.
 */
const toCancelling = (batch: RemoteBatch, cancelledAt: number): RemoteBatch =>
  isOver(batch)
    ? batch
    : { ...batch, status: 'cancelling', members: { cancelling_at: toSeconds(cancelledAt), ...batch.members } };

/** Shows a batch that was not created here. Its input and results stay with its provider. */
const foreignView = ({ id, status, members, counts }: RemoteBatch, { endpoints }: BatchAdapter): JsonObject => ({
  ...{ id, object: 'batch', endpoint: endpoints[0] ?? '', input_file_id: '', completion_window: '24h', created_at: 0 },
  ...{ status, ...members, request_counts: counts, executor: 'mapped' },
});

const toView = (batch: RemoteBatch, row: ProviderBatchRow): JsonObject => ({
  ...{ id: batch.id, object: 'batch', endpoint: row.endpoint, input_file_id: row.input_file_id },
  ...{ completion_window: row.completion_window, created_at: toSeconds(row.created_at), ...toProgress(batch, row) },
  request_counts: batch.counts,
  ...(row.output_file_id === null ? {} : { output_file_id: row.output_file_id }),
  ...(row.error_file_id === null ? {} : { error_file_id: row.error_file_id }),
  executor: 'mapped',
});

const noOutput = (id: string, status: string): GatewayError =>
  conflict(`The batch ${id} is ${status} and has no output.`, 'See its errors: GET /v1/batches/{id}.');

/** Yields the results of a batch that has ended, in OpenAI's form. Memory holds one line. */
async function* readResults(
  adapter: BatchAdapter,
  batch: RemoteBatch,
  { account, codec }: BatchContext,
): AsyncGenerator<ProviderResult> {
  for await (const line of adapter.lines(batch, account)) yield adapter.toResult(line, batch, codec);
}

/** Runs batches at providers with their own form: requests, states and results are converted both ways. */
export const mappedExecutor = (parts: WorkParts, adapter: BatchAdapter): ProviderExecutor => {
  const { store, sealer, files, accountIds, wholeCatalogue, now } = parts;

  const metadataAt = ({ tenant }: ProviderCall, id: string) => ({ table: 'provider_batches', tenant, id }) as const;

  const readContext = async ({ account }: ProviderCall): Promise<BatchContext> => ({
    account,
    codec: lineCodec(await wholeCatalogue(), account),
  });

  /**
   * Finds the record of a batch that the workspace has created with this provider; undefined if it has no record but the
   * workspace may ask for it anyway. Throws the `GatewayError` `not-found`.
   */
  const findOwn = async (call: ProviderCall, id: string): Promise<ProviderBatchRow | undefined> => {
    const { tenant, account } = call;
    const whose = await accountIds.classify({ tenant, kind: 'batch', account, id });
    if (whose === 'unknown') return undefined;
    const row = await findKept(store.db, toPlace(call, id));
    if (whose !== 'own' || row === undefined) throw notFound('batch', id, 'GET /v1/batches');
    return row;
  };

  /** Shows the batch, and its files once the job that waits for its end has created them. */
  const view = async (call: ProviderCall, batch: RemoteBatch): Promise<JsonObject> => {
    const { id } = batch;
    const row = await findOwn(call, id);
    if (row === undefined) return foreignView(batch, adapter);
    if (isOver(batch) && row.is_collected === 0) await runWatchJobNow(parts, call, id);
    const metadata = await openMetadata(sealer, row.metadata, metadataAt(call, id));
    return {
      ...toView(batch, row),
      ...(metadata === undefined ? {} : { metadata }),
      ...(await readUsage(parts, call, id)),
    };
  };

  /** Returns the codec for the answers to the lines of a batch's input, if the gateway still has the input. */
  const answering = async ({ tenant }: ProviderCall, row: ProviderBatchRow, codec: LineCodec): Promise<LineCodec> => {
    const { input_file_id: file, endpoint } = row;
    if (!codec.mayEdit || !isOwnFile(file) || (await files.find(tenant, file)) === undefined) return codec;
    try {
      return codec.answering(await lineEdits(inputLines(files.read(tenant, file), endpoint), codec));
    } catch (error) {
      if (isLost(error)) return codec;
      throw error;
    }
  };

  const find = async ({ account }: ProviderCall, id: string): Promise<RemoteBatch> =>
    requireSame(account, await adapter.retrieve(id, account), { id, what: 'batch' });

  const retrieve = async (call: ProviderCall, id: string): Promise<JsonObject> => view(call, await find(call, id));

  /**
   * Returns the results of a batch that was not created here, as its provider returns them, because no file of the gateway has
   * them.
   */
  const foreignOutput = async (call: ProviderCall, id: string): Promise<RouteReply> => {
    const batch = await find(call, id);
    if (!isOver(batch)) throw noOutput(id, batch.status);
    const context = await readContext(call);
    const lines = async function* (): AsyncGenerator<Buffer, void> {
      for await (const { isSuccess, text } of readResults(adapter, batch, context))
        if (isSuccess) yield Buffer.from(text);
    };
    return {
      ...{ status: 200, origin: 'gateway', body: new IteratedBody(lines(), call.context.cancellation) },
      headers: ['content-type', 'application/octet-stream', 'x-content-type-options', 'nosniff'],
    };
  };

  return {
    async create(call, body) {
      const { tenant, account } = call;
      const { endpoint, completion_window, metadata, role_arn: roleArn } = body;
      const context = await readContext(call);
      const { id: input_file_id, ...input } = await batchInput(parts, call, {
        ...{ context, adapter, file: body.input_file_id, endpoint, model: body.model },
      });
      const batch = await adapter.create({ ...input, endpoint, metadata: metadata ?? undefined, roleArn }, context);
      const id = readId(account, batch, 'batch');
      await rejectDuplicateId(parts, call, id);
      await orUndo(
        async () => {
          const row: ProviderBatchRow = {
            ...{ workspace_id: tenant, slug: account.slug, remote_id: id, input_file_id, endpoint, completion_window },
            ...{ metadata: await sealMetadata(sealer, metadata, metadataAt(call, id)), is_collected: 0 },
            ...{ output_file_id: null, error_file_id: null, created_at: now() },
          };
          await store.write((writing) => writing.insertInto('provider_batches').values(row).execute());
          await recordBatch(parts, call, { id, endpoint, model: input.model });
        },
        () => adapter.cancel(id, account),
      );
      return ok(await view(call, batch));
    },

    async retrieve(call, id) {
      await findOwn(call, id);
      return ok(await retrieve(call, id));
    },

    async cancel(call, id) {
      await findOwn(call, id);
      const batch = requireSame(call.account, await adapter.cancel(id, call.account), { id, what: 'batch' });
      return ok(await view(call, toCancelling(batch, now())));
    },

    async findEnded(call, id) {
      const row = await findOwn(call, id);
      const batch = await find(call, id);
      if (!isOver(batch)) return undefined;
      return {
        async *results() {
          const context = await readContext(call);
          const codec = row === undefined ? context.codec : await answering(call, row, context.codec);
          const results = readResults(adapter, batch, { ...context, codec });
          for await (const kept of requireResults(results, batch, call.account))
            yield { kept, line: parseObject(kept.text) ?? {}, usage: kept.usage };
        },
      };
    },

    async output(call, id) {
      if ((await findOwn(call, id)) === undefined) return foreignOutput(call, id);
      const { output_file_id: output, status } = await retrieve(call, id);
      const file = typeof output === 'string' ? await files.find(call.tenant, output) : undefined;
      if (file === undefined) throw noOutput(id, String(status));
      return fileContent(parts, file, call.context);
    },

    list: (call, page) => listedBatches(store, call, { ...page, find: (id) => retrieve(call, id) }),
  };
};
