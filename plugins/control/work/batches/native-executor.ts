import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, textMembers, toObjects, withoutNulls } from '../../../../schema/json/loose.ts';
import type { RouteReply } from '../../../sdk/route/route-row.ts';
import { orUndo } from '../../kernel/records/records.ts';
import { notFound } from '../../kernel/requests/refusals.ts';
import { ok } from '../../kernel/requests/replies.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import type { ProviderRequest } from '../provider-requests/account.ts';
import { undefinedIfGone } from '../provider-requests/find-each.ts';
import { isGone } from '../provider-requests/provider-refusal.ts';
import { findId, readCount, readInteger, toEpochSeconds } from '../provider-requests/read-values.ts';
import { readId, requestBytes, requestJson, requireSame } from '../provider-requests/request-json.ts';
import { uploadFile } from '../provider-requests/upload-file.ts';
import type { WorkParts } from '../provider-requests/work-parts.ts';
import type { NewBatchBody } from './batch/batch-bodies.ts';
import { isLost, jsonLines, objectLines, requireResults } from './batch/batch-lines.ts';
import { batchStatuses, isOver, timeNames } from './batch/batch-members.ts';
import { checkLines, fileError } from './batch/check-lines.ts';
import type { BatchPage, ProviderCall, ProviderExecutor } from './batch/executor.ts';
import { listedBatches } from './providers/listed-batches.ts';
import { readUsage, recordBatch, rejectDuplicateId, runWatchJobNow } from './providers/watched-batches.ts';

/** The page size of the provider's list. Batches beyond it are requested one by one. */
const pageSize = 100;

const toContent = (file: string): ProviderRequest => ({
  method: 'GET',
  path: `/files/${encodeURIComponent(file)}/content`,
});

/** The members that name files. */
const fileNames = ['output_file_id', 'error_file_id'] as const;

/** The members that are present only if they are readable. */
const normalised: readonly string[] = [...fileNames, ...timeNames];

const readErrors = (errors: Json | undefined): JsonObject => {
  const data = toObjects(findObject(errors)?.data).map((each) => ({
    ...each,
    ...{ code: findText(each.code) ?? 'provider_error', message: findText(each.message) ?? 'The batch failed.' },
    ...{ param: findText(each.param) ?? null, line: readInteger(each.line) },
  }));
  return data.length === 0 ? {} : { errors: { object: 'list', data } };
};

const readCounts = (counts: Json | undefined) => {
  const { total, completed, failed } = findObject(counts) ?? {};
  return { total: readCount(total), completed: readCount(completed), failed: readCount(failed) };
};

const readStatus = (status: Json | undefined): string => {
  const written = status === 'canceled' ? 'cancelled' : status;
  return batchStatuses.find((each) => each === written) ?? 'in_progress';
};

/** Converts a batch of OpenAI or Azure to the form of the specification: unknown members are absent, additional ones are kept. */
const normalisedBatch = (batch: JsonObject): JsonObject => {
  const { errors, request_counts: counts, metadata, ...rest } = batch;
  const further = Object.entries(rest).filter(([name]) => !normalised.includes(name));
  return {
    ...withoutNulls(Object.fromEntries(further)),
    object: 'batch',
    endpoint: findText(batch.endpoint) ?? '',
    completion_window: findText(batch.completion_window) ?? '24h',
    created_at: toEpochSeconds(batch.created_at) ?? 0,
    ...withoutNulls(Object.fromEntries(timeNames.map((name) => [name, toEpochSeconds(batch[name]) ?? null]))),
    ...withoutNulls(Object.fromEntries(fileNames.map((name) => [name, findId(batch[name]) ?? null]))),
    status: readStatus(batch.status),
    ...readErrors(errors),
    request_counts: readCounts(counts),
    ...(findObject(metadata) === undefined ? {} : { metadata: textMembers(metadata) }),
    executor: 'native',
  };
};

/** Returns the files of a batch. */
const readFiles = (batch: JsonObject): readonly string[] => fileNames.flatMap((name) => findId(batch[name]) ?? []);

/** Yields the lines of a batch's results. */
async function* resultLines({ account }: ProviderCall, batch: JsonObject): AsyncGenerator<JsonObject> {
  for (const file of readFiles(batch)) yield* jsonLines(account, toContent(file));
}

/**
 * Runs batches at providers with OpenAI's API, by passing requests on. Workspaces may share an account, and each reaches only
 * what it created itself.
 */
export const nativeExecutor = (parts: WorkParts, providers: ReadonlySet<string>): ProviderExecutor => {
  const { remoteIds, accountIds, files, fileCopies } = parts;

  const toRequest = (id: string): ProviderRequest => ({ method: 'GET', path: `/batches/${encodeURIComponent(id)}` });

  const toCancel = (id: string): ProviderRequest => ({ method: 'POST', path: `${toRequest(id).path}/cancel` });

  /**
   * Sends a request about a batch that the workspace created with this provider, or may ask for, and records the files of a batch
   * of its own.
   */
  const askOwn = async (call: ProviderCall, id: string, request = toRequest(id)): Promise<JsonObject> => {
    const { tenant, account } = call;
    const whose = await accountIds.classify({ tenant, kind: 'batch', account, id });
    if (whose !== 'own' && whose !== 'unknown') throw notFound('batch', id, 'GET /v1/batches');
    const batch = requireSame(account, await requestJson(account, request), { id, what: 'batch' });
    const keyAccount = account.keyAccount?.();
    // If a batch belongs to nobody, so do its files.
    if (whose === 'unknown') return batch;
    const listed = readFiles(batch);
    const known = await remoteIds.filterOwned(tenant, 'file', listed, account.slug);
    for (const file of listed)
      if (!known.has(file))
        await remoteIds.record(tenant, { kind: 'file', id: file, slug: account.slug, account: keyAccount });
    return batch;
  };

  /** Returns the account's id of an input file. Throws the `GatewayError` `invalid-input`. */
  const readInput = async (call: ProviderCall, { input_file_id: id }: NewBatchBody): Promise<string> => {
    const { tenant, account, context } = call;
    const { slug } = account;
    if (!isOwnFile(id)) {
      if (!(await accountIds.mayAccess({ tenant, kind: 'file', account, id })))
        throw fileError(
          `Your workspace has no file "${id}" at ${slug}.`,
          'Upload the file to the same provider, and use the id that you get.',
        );
      await checkLines(parts, call, () => requestBytes(account, toContent(id)));
      return id;
    }
    if ((await files.find(tenant, id)) !== undefined) await checkLines(parts, call, () => files.read(tenant, id));
    const uploaded = await fileCopies.copyInto({
      ...{ tenant, slug, id, createdBy: context.principal.keyId, keyAccount: account.keyAccount },
      upload: (file) => uploadFile(account, file, 'batch'),
    });
    if (uploaded === undefined)
      throw fileError(
        `Your workspace has no file "${id}" at the gateway.`,
        'Upload the lines with POST /v1/files, and use the id that you get.',
      );
    return uploaded;
  };

  const readOrigin = ({ tenant, account: { slug } }: ProviderCall, id: string): Promise<string> =>
    fileCopies.findOriginal(tenant, { slug, id });

  /** Converts a batch to the form of the specification, with the gateway's id of its input file, and its usage. */
  const view = async (call: ProviderCall, batch: JsonObject): Promise<JsonObject> => ({
    ...normalisedBatch(batch),
    input_file_id: await readOrigin(call, findId(batch.input_file_id) ?? ''),
    ...(await readUsage(parts, call, findText(batch.id) ?? '')),
  });

  /** Returns a requested batch, and has it charged soon after its end. */
  const show = async (call: ProviderCall, batch: JsonObject): Promise<RouteReply> => {
    const seen = await view(call, batch);
    if (isOver(seen) && seen.cost === undefined) await runWatchJobNow(parts, call, findText(batch.id) ?? '');
    return ok(seen);
  };

  /** Returns the model that all lines of an input file request; undefined if the file is gone. */
  const readModel = async (call: ProviderCall, file: string): Promise<string | undefined> => {
    const { account, tenant } = call;
    const own = await readOrigin(call, file);
    const lines = isOwnFile(own)
      ? objectLines(files.read(tenant, own), account.provider)
      : jsonLines(account, toContent(file));
    try {
      for await (const { body } of lines) return findText(findObject(body)?.model);
    } catch (error) {
      if (!isLost(error) && !isGone(error)) throw error;
    }
    return undefined;
  };

  return {
    async create(call, body) {
      const input_file_id = await readInput(call, body);
      const batch = await requestJson(call.account, {
        ...{ method: 'POST', path: '/batches', body: { ...body, input_file_id } as JsonObject },
      });
      const id = readId(call.account, batch, 'batch');
      await rejectDuplicateId(parts, call, id);
      await orUndo(
        () => recordBatch(parts, call, { id, endpoint: body.endpoint }),
        () => requestJson(call.account, toCancel(id)),
      );
      return ok(await view(call, batch));
    },
    retrieve: async (call, id) => show(call, await askOwn(call, id)),
    cancel: async (call, id) => show(call, await askOwn(call, id, toCancel(id))),
    async output(call, id) {
      const file = findId((await askOwn(call, id)).output_file_id);
      if (file === undefined) throw notFound('output of the batch', id, 'GET /v1/batches/{id}');
      return call.account.send(toContent(file));
    },
    async findEnded(call, id) {
      const batch = await askOwn(call, id);
      const ended = { status: readStatus(batch.status), counts: readCounts(batch.request_counts) };
      if (!isOver(ended)) return undefined;
      const input = findId(batch.input_file_id);
      return {
        model: async () => (input === undefined ? undefined : readModel(call, input)),
        async *results() {
          for await (const line of requireResults(resultLines(call, batch), ended, call.account)) yield { line };
        },
      };
    },
    async list(call, { after, limit }): Promise<BatchPage> {
      const { account } = call;
      if (!providers.has(account.provider)) {
        if (after !== undefined) throw notFound('batch', after, 'GET /v1/batches');
        return { data: [], hasMore: false };
      }
      /** Reads the batches of the account after `after`; none if the provider does not list them. */
      const readNext = async (): Promise<ReadonlyMap<string, JsonObject>> => {
        const query = new URLSearchParams({ limit: String(pageSize), ...(after === undefined ? {} : { after }) });
        const page = await requestJson(account, { method: 'GET', path: `/batches?${query}` }).catch(undefinedIfGone);
        return new Map(toObjects(page?.data).map((batch) => [findText(batch.id) ?? '', batch]));
      };
      let next: ReturnType<typeof readNext> | undefined;
      const find = async (id: string): Promise<JsonObject> => {
        next ??= readNext();
        return view(
          call,
          (await next).get(id) ??
            requireSame(account, await requestJson(account, toRequest(id)), { id, what: 'batch' }),
        );
      };
      return listedBatches(parts.store, call, { find, after, limit });
    },
  };
};
