import { randomUUID } from 'node:crypto';
import { exactText } from '../../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../../schema/json/loose.ts';
import { type Account, vertexPath } from '../../provider-requests/account.ts';
import { isoSeconds, lastSegment, readCount, readWord } from '../../provider-requests/read-values.ts';
import { requestJson } from '../../provider-requests/request-json.ts';
import { objectAt, toAddress } from '../../provider-requests/storage/cloud-storage.ts';
import { gcs } from '../../provider-requests/storage/object-storage.ts';
import { exactLines, toLineName } from '../batch/batch-lines.ts';
import { isOver } from '../batch/batch-members.ts';
import {
  type BatchAdapter,
  type BatchContext,
  type BatchInput,
  type BatchStatus,
  chatResult,
  failedResult,
  type RemoteBatch,
  toRemoteBatch,
} from './batch-adapter.ts';
import { uploadInput } from './input-lines.ts';

/** A label value has at most 63 characters. */
const pieces = /.{1,62}/g;

const toName = (at: number): string => `gw-custom-id-${at}`;

/**
 * Returns labels that identify a line in its request. Vertex AI repeats the request of a Gemini line beside its answer, in any
 * order, but nothing else of the line. Labels may only have lower-case letters and digits, so the id is written in hexadecimal
 * digits: https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/add-labels-to-api-calls
 */
const idLabels = (customId: string): JsonObject =>
  Object.fromEntries(
    (Buffer.from(customId).toString('hex').match(pieces) ?? []).map((piece, at) => [toName(at), piece]),
  );

/** Reads the id from such labels; empty if there are none. */
const labelledId = (labels: JsonObject): string => {
  let digits = '';
  for (let at = 0; Object.hasOwn(labels, toName(at)); at += 1) digits += findText(labels[toName(at)]) ?? '';
  return Buffer.from(digits, 'hex').toString();
};

const at = (account: Account, rest = ''): string => vertexPath(account, `batchPredictionJobs${rest}`);

const jobAt = (id: string, account: Account, rest = ''): string => at(account, `/${encodeURIComponent(id)}${rest}`);

const states: Readonly<Record<string, BatchStatus>> = {
  JOB_STATE_QUEUED: 'validating',
  JOB_STATE_PENDING: 'validating',
  JOB_STATE_PAUSED: 'validating',
  JOB_STATE_RUNNING: 'in_progress',
  JOB_STATE_UPDATING: 'in_progress',
  JOB_STATE_SUCCEEDED: 'completed',
  JOB_STATE_PARTIALLY_SUCCEEDED: 'completed',
  JOB_STATE_FAILED: 'failed',
  JOB_STATE_CANCELLING: 'cancelling',
  JOB_STATE_CANCELLED: 'cancelled',
  JOB_STATE_EXPIRED: 'expired',
};

const readState = ({ state }: JsonObject): BatchStatus => readWord(states, state) ?? 'in_progress';

/** https://cloud.google.com/vertex-ai/docs/reference/rest/v1/projects.locations.batchPredictionJobs */
const readBatch = (raw: JsonObject): RemoteBatch => {
  const status = readState(raw);
  const stats = findObject(raw.completionStats) ?? {};
  const [completed, failed] = [readCount(stats.successfulCount), readCount(stats.failedCount)];
  return toRemoteBatch({
    ...{ id: lastSegment(raw.name), status, raw },
    counts: { total: completed + failed + readCount(stats.incompleteCount), completed, failed },
    members: { created_at: isoSeconds(raw.createTime), in_progress_at: isoSeconds(raw.startTime) },
    changedAt: isoSeconds(raw.endTime) ?? isoSeconds(raw.updateTime),
    reasons: status === 'failed' ? [findObject(raw.error)?.message] : [],
  });
};

/** Yields the results of a job, which are in one or more files of its folder. */
async function* outputLines({ outputInfo }: JsonObject, account: Account): AsyncGenerator<JsonObject> {
  const folder = findText(findObject(outputInfo)?.gcsOutputDirectory) ?? '';
  const place = objectAt(gcs, `${folder.replace(/\/$/, '')}/`);
  if (place === undefined) return;
  for await (const object of gcs.list(account, place))
    if (object.key.endsWith('.jsonl')) yield* exactLines(account, gcs.reading(object));
}

const isFailure = ({ status, response }: JsonObject): boolean =>
  (findText(status) ?? '') !== '' || findObject(response) === undefined;

/** Counts the answered requests of a job by reading its results, if the job does not report them. */
const counted = async (raw: JsonObject, account: Account): Promise<JsonObject> => {
  if (raw.completionStats !== undefined || !isOver({ status: readState(raw) })) return raw;
  const stats = { successfulCount: 0, failedCount: 0 };
  for await (const line of outputLines(raw, account)) stats[isFailure(line) ? 'failedCount' : 'successfulCount'] += 1;
  return { ...raw, completionStats: stats };
};

/** The publishers whose models support batches, by their dialects. */
const makers: Readonly<Record<string, string>> = { gemini: 'google', messages: 'anthropic' };

/** https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-from-cloud-storage, …/partner-models/claude/batch */
async function* inputLines(
  { lines, model = '' }: Pick<BatchInput, 'lines' | 'model'>,
  { codec }: BatchContext,
): AsyncGenerator<Buffer> {
  const isGemini = codec.servedModel(model).dialect === 'gemini';
  for await (const { customId, body } of lines()) {
    const request = { ...codec.request(body), ...(isGemini ? { labels: idLabels(customId) } : {}) };
    yield Buffer.from(`${exactText({ custom_id: customId, request })}\n`);
  }
}

const toResult: BatchAdapter['toResult'] = (line, batch, codec) => {
  const name = toLineName(findText(line.custom_id) ?? labelledId(findObject(findObject(line.request)?.labels) ?? {}));
  if (isFailure(line)) return failedResult(name, line.status);
  return chatResult(name, findObject(line.response) ?? {}, { batch, codec, model: lastSegment(batch.raw.model) });
};

const retrieve = async (id: string, account: Account): Promise<RemoteBatch> =>
  readBatch(await counted(await requestJson(account, { method: 'GET', path: jobAt(id, account) }), account));

/** Batch prediction jobs: https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini */
export const vertexBatches: BatchAdapter = {
  endpoints: ['/v1/chat/completions'],
  hasOneModel: true,
  written: { storage: gcs, lines: inputLines },
  lineError({ body }, codec) {
    const { name, dialect } = codec.servedModel(findText(body.model) ?? '');
    return Object.hasOwn(makers, dialect) && /^[\w.@-]+$/.test(name)
      ? undefined
      : 'Vertex AI has batches only for models of Google and Anthropic, and the request must name one of them.';
  },
  async create(input, context) {
    const { account, codec } = context;
    const object = await uploadInput(gcs, { input, account, lines: () => inputLines(input, context) });
    const { name, dialect } = codec.servedModel(input.model ?? '');
    const body = {
      ...{ displayName: `gw-${randomUUID()}`, model: `publishers/${makers[dialect]}/models/${name}` },
      inputConfig: { instancesFormat: 'jsonl', gcsSource: { uris: [toAddress(gcs, object.input)] } },
      outputConfig: {
        predictionsFormat: 'jsonl',
        gcsDestination: { outputUriPrefix: toAddress(gcs, object.folder) },
      },
    };
    return readBatch(await requestJson(account, { method: 'POST', path: at(account), body }));
  },
  retrieve,
  async cancel(id, account) {
    await requestJson(account, { method: 'POST', path: jobAt(id, account, ':cancel'), body: {} });
    return retrieve(id, account);
  },
  lines: ({ raw }, account) => outputLines(raw, account),
  toResult,
};
