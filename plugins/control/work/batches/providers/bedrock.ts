import { randomUUID } from 'node:crypto';
import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import { exactText } from '../../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../../schema/json/loose.ts';
import { type Account, bedrockRole, missingRole } from '../../provider-requests/account.ts';
import { errorBody, ProviderRefusal } from '../../provider-requests/provider-refusal.ts';
import { isoSeconds, lastSegment, readWord } from '../../provider-requests/read-values.ts';
import { readId, requestJson, unreadableAnswer } from '../../provider-requests/request-json.ts';
import { objectAt, type StoredObject, toAddress } from '../../provider-requests/storage/cloud-storage.ts';
import { s3 } from '../../provider-requests/storage/object-storage.ts';
import { exactLines, resultOfResponse, toLineName } from '../batch/batch-lines.ts';
import {
  type BatchAdapter,
  type BatchContext,
  type BatchInput,
  type BatchStatus,
  chatResult,
  type RemoteBatch,
  readFailure,
  toRemoteBatch,
} from './batch-adapter.ts';
import { uploadInput } from './input-lines.ts';

const jobs = '/model-invocation-job';

const at = (id: string, rest = ''): string => `${jobs}/${encodeURIComponent(id)}${rest}`;

const states: Readonly<Record<string, BatchStatus>> = {
  Submitted: 'validating',
  Validating: 'validating',
  Scheduled: 'in_progress',
  InProgress: 'in_progress',
  Completed: 'completed',
  PartiallyCompleted: 'completed',
  Failed: 'failed',
  Stopping: 'cancelling',
  Stopped: 'cancelled',
  Expired: 'expired',
};

const readState = ({ status }: JsonObject): BatchStatus => readWord(states, status) ?? 'in_progress';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_GetModelInvocationJob.html */
const readBatch = (raw: JsonObject): RemoteBatch => {
  const status = readState(raw);
  return toRemoteBatch({
    ...{ id: lastSegment(raw.jobArn), status, raw },
    counts: { total: raw.totalRecordCount, completed: raw.successRecordCount, failed: raw.errorRecordCount },
    members: { created_at: isoSeconds(raw.submitTime), expires_at: isoSeconds(raw.jobExpirationTime) },
    changedAt: isoSeconds(raw.endTime) ?? isoSeconds(raw.lastModifiedTime),
    reasons: status === 'failed' ? [raw.message] : [],
  });
};

/**
 * Returns the folder with the results of a job, whose files are named like those of the input.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference-results.html. Throws the `GatewayError`
 * `unreadable-answer` if the job does not report it.
 */
const outputAt = (
  account: Account,
  { jobArn, outputDataConfig, inputDataConfig }: JsonObject,
  name?: string,
): StoredObject => {
  const folder = findText(findObject(findObject(outputDataConfig)?.s3OutputDataConfig)?.s3Uri) ?? '';
  const input = lastSegment(findObject(findObject(inputDataConfig)?.s3InputDataConfig)?.s3Uri);
  const address = `${folder.replace(/\/$/, '')}/${lastSegment(jobArn)}/${name ?? `${input}.out`}`;
  const object = objectAt(s3, address);
  if (object === undefined) throw unreadableAnswer(account, 'its job does not state where its results are.');
  return object;
};

/** Adds the record counts to a job that does not have them, from its summary. */
const counted = async (raw: JsonObject, account: Account): Promise<JsonObject> =>
  readState(raw) === 'completed' && raw.successRecordCount === undefined
    ? { ...raw, ...(await requestJson(account, s3.reading(outputAt(account, raw, 'manifest.json.out')))) }
    : raw;

/** https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference-data.html */
async function* inputLines({ lines }: Pick<BatchInput, 'lines'>, { codec }: BatchContext): AsyncGenerator<Buffer> {
  for await (const { customId, body } of lines())
    yield Buffer.from(`${exactText({ recordId: customId, modelInput: codec.request(body) })}\n`);
}

const toResult: BatchAdapter['toResult'] = (line, batch, codec) => {
  const name = toLineName(line.recordId);
  const output = findObject(line.modelOutput);
  if (output !== undefined) return chatResult(name, output, { batch, codec, model: lastSegment(batch.raw.modelId) });
  const { errorCode, errorMessage } = findObject(line.error) ?? {};
  const status = readFailure(errorCode);
  const message = findText(errorMessage) ?? 'The request failed.';
  return resultOfResponse(name, { status, body: errorBody(status, JSON.stringify({ message })) });
};

const retrieve = async (id: string, account: Account): Promise<RemoteBatch> =>
  readBatch(await counted(await requestJson(account, { method: 'GET', path: at(id) }), account));

/** Model invocation jobs: https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference.html */
export const bedrockBatches: BatchAdapter = {
  endpoints: ['/v1/chat/completions'],
  hasOneModel: true,
  written: { storage: s3, lines: inputLines },
  lineError: ({ body }) => ((findText(body.model) ?? '') === '' ? 'The request names no model.' : undefined),
  async create(input, context) {
    const { account } = context;
    const roleArn = bedrockRole(input.roleArn, account);
    if (roleArn === undefined) throw invalidInput([missingRole]);
    const object = await uploadInput(s3, { input, account, lines: () => inputLines(input, context) });
    const jobName = `gw-${randomUUID()}`;
    const body = {
      ...{ jobName, clientRequestToken: jobName, roleArn, modelId: input.model ?? '', modelInvocationType: 'Converse' },
      inputDataConfig: { s3InputDataConfig: { s3Uri: toAddress(s3, object.input), s3InputFormat: 'JSONL' } },
      outputDataConfig: { s3OutputDataConfig: { s3Uri: toAddress(s3, object.folder) } },
      timeoutDurationInHours: 24,
    };
    const { jobArn } = await requestJson(account, { method: 'POST', path: jobs, body });
    return retrieve(readId(account, { id: lastSegment(jobArn) }, 'job'), account);
  },
  retrieve,
  async cancel(id, account) {
    await requestJson(account, { method: 'POST', path: at(id, '/stop') });
    return retrieve(id, account);
  },
  async *lines({ raw, status }, account) {
    try {
      yield* exactLines(account, s3.reading(outputAt(account, raw)));
    } catch (error) {
      // If the caller may not list, S3 answers 403 for a missing object:
      // https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
      const isAbsent = error instanceof ProviderRefusal && [403, 404].includes(error.reply.status);
      if (status === 'completed' || !isAbsent) throw error;
    }
  },
  toResult,
};
