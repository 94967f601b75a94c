import { type GatewayError, gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { RouteReply } from '../../../../sdk/route/route-row.ts';
import { IteratedBody } from '../../../kernel/requests/iterated-body.ts';
import { conflict, notFound } from '../../../kernel/requests/refusals.ts';
import { ok } from '../../../kernel/requests/replies.ts';
import type { ProviderBatchRow } from '../../../kernel/store/tables/tables.ts';
import { inTurns } from '../../accounts/in-turns.ts';
import type { WorkParts } from '../../accounts/work-parts.ts';
import { fileContent } from '../../files/file-content.ts';
import { isOwnFile } from '../../files/is-own-file.ts';
import { recordedPage } from '../../remote-ids/remote-ids.ts';
import type { NewBatchBody } from '../batch/batch-bodies.ts';
import { isOver } from '../batch/batch-status.ts';
import type { ProviderCall, ProviderExecutor } from '../batch/executor.ts';
import { createMetadataSeals, type MetadataAt } from '../batch/metadata-seals.ts';
import { refusePlan } from '../batch/refuse-plan.ts';
import { isLost } from '../managed/check/check-job.ts';
import { usageView } from '../managed/records/used.ts';
import type { BatchAdapter, BatchContext, RemoteBatch } from './batch-adapter.ts';
import { batchInput } from './batch-input.ts';
import { inputLines } from './input-lines.ts';
import { type LineCodec, lineCodec, lineEdits } from './line-codec.ts';
import { createProviderBatchStore } from './provider-batch-store.ts';
import { toPlace, type WatchedBatches } from './watched-batches.ts';

/** How many batches of a page are asked for at the same time. */
const maxAtOnce = 8;

/** Until its results are in files of the gateway, a batch is being finalized. */
const toProgress = ({ status, members }: RemoteBatch, { is_collected }: ProviderBatchRow): JsonObject => {
  if (!isOver({ status }) || is_collected === 1) return { status, ...members };
  const { [`${status}_at`]: _endedAt, ...before } = members;
  return { status: 'finalizing', ...before };
};

/** Of a batch that was not made here, whose input and results stay with its provider. */
const foreignView = ({ id, status, members, counts }: RemoteBatch, { endpoints }: BatchAdapter): JsonObject => ({
  ...{ id, object: 'batch', endpoint: endpoints[0] ?? '', input_file_id: '', completion_window: '24h' },
  ...{ status, ...members, request_counts: counts, executor: 'mapped' },
});

const toView = (batch: RemoteBatch, row: ProviderBatchRow): JsonObject => ({
  ...{ id: batch.id, object: 'batch', endpoint: row.endpoint, input_file_id: row.input_file_id },
  ...{ completion_window: row.completion_window, ...toProgress(batch, row) },
  request_counts: batch.counts,
  ...(row.output_file_id === null ? {} : { output_file_id: row.output_file_id }),
  ...(row.error_file_id === null ? {} : { error_file_id: row.error_file_id }),
  executor: 'mapped',
});

const noOutput = (id: string, status: string): GatewayError =>
  conflict(`The batch ${id} is ${status}, and has no output.`, 'See its errors: GET /v1/batches/{id}.');

/** Batches that a provider runs in a form of its own: requests, states and results are converted both ways. */
export const mappedExecutor = (
  parts: WorkParts & { readonly watched: WatchedBatches },
  toAdapter: (provider: string) => BatchAdapter,
): ProviderExecutor => {
  const { store, files, accountIds, remoteIds, wholeCatalogue, now, watched } = parts;
  const rows = createProviderBatchStore(parts);
  const seals = createMetadataSeals(parts.sealer);

  const metadataAt = ({ tenant }: ProviderCall, id: string): MetadataAt => ({ table: 'provider_batches', tenant, id });

  const readContext = async ({ account }: ProviderCall): Promise<BatchContext> => ({
    account,
    codec: lineCodec(await wholeCatalogue(), account),
  });

  /**
   * The record of a batch that the workspace has made with this provider; undefined for one that it may ask for all the same.
   * Throws the `GatewayError` `not-found`.
   */
  const own = async ({ tenant, account }: ProviderCall, id: string): Promise<ProviderBatchRow | undefined> => {
    const whose = await accountIds.whose({ tenant, kind: 'batch', account, id });
    if (whose === 'unknown') return undefined;
    const row = whose === 'own' ? await rows.find(tenant, id) : undefined;
    if (row === undefined) throw notFound('batch', id, 'GET /v1/batches');
    return row;
  };

  /** The batch, and its files when the job that waits for its end has made them. */
  const shown = async (call: ProviderCall, batch: RemoteBatch): Promise<JsonObject> => {
    const row = await own(call, batch.id);
    if (row === undefined) return foreignView(batch, toAdapter(call.account.provider));
    if (isOver(batch) && row.is_collected === 0) await watched.hurry(call, batch.id);
    const known = await watched.find(toPlace(call, batch.id));
    const metadata = await seals.open(row.metadata, metadataAt(call, batch.id));
    return {
      ...toView(batch, row),
      ...(metadata === undefined ? {} : { metadata }),
      ...(known?.state === 'charged' ? usageView(known) : {}),
    };
  };

  /** The codec for the answers to the lines of a batch's input, if the gateway has that still. */
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

  const create = async (call: ProviderCall, body: NewBatchBody): Promise<JsonObject> => {
    const { tenant, account } = call;
    const { input_file_id: file, endpoint, completion_window: window, metadata = null, role_arn: roleArn } = body;
    refusePlan(call, body);
    const adapter = toAdapter(account.provider);
    const context = await readContext(call);
    const { id: input, ...found } = await batchInput(parts, call, {
      ...{ context, adapter, file, endpoint, model: body.model },
    });
    const batch = await adapter.create({ ...found, endpoint, metadata: metadata ?? undefined, roleArn }, context);
    if (batch.id === '')
      throw gatewayError('unreadable-answer', { provider: account.provider, reason: 'its batch has no id.' });
    try {
      await rows.insert({
        ...{ workspace_id: tenant, remote_id: batch.id, input_file_id: input, endpoint, completion_window: window },
        ...{ metadata: await seals.seal(metadata, metadataAt(call, batch.id)), is_collected: 0 },
        ...{ output_file_id: null, error_file_id: null, created_at: now() },
      });
      const { keyId: createdBy } = call.context.principal;
      await remoteIds.record(tenant, { kind: 'batch', id: batch.id, slug: account.slug, createdBy });
      await watched.begin(call, { id: batch.id, endpoint, model: found.model });
    } catch (error) {
      // Nobody could find it again.
      await adapter.cancel(batch.id, context).catch(() => {});
      throw error;
    }
    return shown(call, batch);
  };

  const asked = async (call: ProviderCall, id: string): Promise<JsonObject> =>
    shown(call, await toAdapter(call.account.provider).retrieve(id, await readContext(call)));

  const retrieve = async (call: ProviderCall, id: string): Promise<JsonObject> => {
    await own(call, id);
    return asked(call, id);
  };

  /** The results of a batch that was not made here, as its provider gives them: no file of the gateway has them. */
  const foreignOutput = async (call: ProviderCall, id: string): Promise<RouteReply> => {
    const context = await readContext(call);
    const adapter = toAdapter(call.account.provider);
    const batch = await adapter.retrieve(id, context);
    if (!isOver(batch)) throw noOutput(id, batch.status);
    const lines = async function* (): AsyncGenerator<Buffer, void> {
      for await (const { isSuccess, text } of adapter.results(batch, context)) if (isSuccess) yield Buffer.from(text);
    };
    return {
      ...{ status: 200, origin: 'gateway', body: new IteratedBody(lines(), call.context.cancellation) },
      headers: ['content-type', 'application/octet-stream', 'x-content-type-options', 'nosniff'],
    };
  };

  return {
    create: async (call, body) => ok(await create(call, body)),
    retrieve: async (call, id) => ok(await retrieve(call, id)),

    async cancel(call, id) {
      await own(call, id);
      const context = await readContext(call);
      return ok(await shown(call, await toAdapter(call.account.provider).cancel(id, context)));
    },

    async ended(call, id) {
      const row = await own(call, id);
      const asked = await readContext(call);
      const adapter = toAdapter(call.account.provider);
      const batch = await adapter.retrieve(id, asked);
      if (!isOver(batch)) return undefined;
      return {
        async *results() {
          const codec = row === undefined ? asked.codec : await answering(call, row, asked.codec);
          const context = { ...asked, codec };
          for await (const kept of adapter.results(batch, context))
            yield { kept, line: parseObject(kept.text) ?? {}, usage: kept.usage };
        },
      };
    },

    async output(call, id) {
      if ((await own(call, id)) === undefined) return foreignOutput(call, id);
      const { output_file_id: output, status } = await asked(call, id);
      const file = typeof output === 'string' ? await files.find(call.tenant, output) : undefined;
      if (file === undefined) throw noOutput(id, String(status));
      return fileContent(parts, file, call.context);
    },

    async list(call, { after, limit }) {
      const { tenant, account } = call;
      const page = await recordedPage(store, tenant, { kind: 'batch', slug: account.slug, after, limit });
      if (page === undefined) throw notFound('batch', after ?? '', 'GET /v1/batches');
      const data = await inTurns(page.ids, maxAtOnce, (id) => asked(call, id));
      return { data, hasMore: page.hasMore };
    },
  };
};
