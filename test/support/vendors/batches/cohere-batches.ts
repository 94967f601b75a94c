import { randomUUID } from 'node:crypto';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../servers/upstream-server.ts';
import { oneOf } from '../one-of.ts';
import { startVendorRoutes } from '../vendor-routes.ts';
import { avroFile } from './avro-file.ts';
import { type BatchVendor, toAsked } from './batch-vendor.ts';
import { lineTypes, resultType } from './cohere-schemas.ts';
import { readFile } from './read-file.ts';

interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly dataset_type: string;
  readonly error: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it sent
  readonly records: readonly any[];
  asked: number;
}

interface Batch {
  status: string;
  readonly input_dataset_id: string;
  readonly [member: string]: unknown;
}

/** Answers a part of a dataset, whose bytes are `whole`. */
export type AnswerPart = (call: UpstreamCall, whole: Buffer) => void;

export interface CohereVendor extends BatchVendor {
  /** The host of the parts of datasets. */
  readonly storage: TestUpstream;
  /** Returns the ids of the existing datasets. */
  datasets(): readonly string[];
  /** Makes all running batches fail, with a reason. */
  fail(reason: string): void;
  /** Answers parts of datasets in a different way. Unchanged if absent. */
  answerParts(answer?: AnswerPart): void;
}

const missing = (call: UpstreamCall): void => call.json({ message: 'Not found.' }, { status: 404 });

const time = '2026-09-21T13:33:20.000123Z';
const signature = 'X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Expires=43199&X-Goog-Signature=5afe%2Bsigned';
const folder = '/cohere-production-user-datasets/dataset-api-temp';

const parsed = (text: string): readonly unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const findError = (type: string, lines: readonly unknown[]): string | undefined => {
  const lineType = lineTypes.get(type);
  if (lineType === undefined) return `unknown dataset type ${type}`;
  const wrong = lines.findIndex((line) => !lineType.isValid(line, { noUndeclaredFields: true } as never));
  return wrong === -1 ? undefined : `row ${wrong + 1} does not match the schema`;
};

const tokens = { input_tokens: 21, output_tokens: 9 };
const none = { finish_reason: null, message: null, usage: null, embeddings: null, meta: null };

const chatAnswer = {
  ...{ ...none, id: randomUUID(), finish_reason: 'COMPLETE' },
  message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], tool_calls: null },
  usage: { billed_units: tokens, tokens },
};

const embedAnswer = (texts: readonly string[]) => ({
  ...{ ...none, id: randomUUID(), embeddings: { float: texts.map((_, at) => [at + 0.5, -0.25]) } },
  meta: { billed_units: { input_tokens: 21, output_tokens: null } },
});

const toResult = ({ custom_id, body }: Dataset['records'][number]) => {
  const asked: string = body.messages === undefined ? body.texts.join() : toAsked(body);
  return asked.includes('fail')
    ? { custom_id, error: 'It cannot be done.', body: null }
    : { custom_id, error: '', body: body.messages === undefined ? embedAnswer(body.texts) : chatAnswer };
};

/**
 * Simulates batches from datasets, whose parts are at signed addresses on another host, which rejects requests with a
 * credential. https://docs.cohere.com/reference/create-batch, https://docs.cohere.com/reference/get-dataset
 */
export const startCohereBatches = async (): Promise<CohereVendor> => {
  const datasets = new Map<string, Dataset>();
  const batches = new Map<string, Batch>();

  const asItIs: AnswerPart = (call, body) => call.answer({ body });
  let answerPart = asItIs;
  const storage = await startUpstream(async (call) => {
    const { path, header } = call.request;
    if (header('authorization') !== undefined) return call.answer({ status: 400, body: '<Error/>' });
    const [, id = '', half] = /^\/[^?]*\/([^/]+)\/(\d)\.avro\?(.*)$/.exec(path) ?? [];
    if (!path.endsWith(`?${signature}`)) return call.answer({ status: 403, body: '<Error/>' });
    const { records = [] } = datasets.get(id) ?? {};
    const part = half === '0' ? records.slice(0, 1) : records.slice(1);
    answerPart(call, await avroFile(resultType, part, { codec: half === '0' ? 'null' : 'deflate' }));
  });

  const keep = (name: string, type: string, records: readonly unknown[]): string => {
    const id = `${name}-${randomUUID().slice(0, 6)}`;
    datasets.set(id, { id, name, dataset_type: type, records, asked: 0, error: findError(type, records) });
    return id;
  };

  const toStatus = ({ dataset_type: type, error, asked }: Dataset): string => {
    if (type.endsWith('-output')) return 'validated';
    if (asked < 2) return 'processing';
    return error === undefined ? 'validated' : 'failed';
  };

  const toParts = ({ id, records }: Dataset) =>
    (records.length === 1 ? [0] : [1, 0]).map((index) => ({
      ...{
        id: `${id}-${index}`,
        name: `${id}.avro`,
        index,
        size_bytes: 100,
        num_rows: index === 0 ? 1 : records.length - 1,
      },
      url: `${storage.origin}${folder}/${id}/${index}.avro?${signature}`,
    }));

  const dataset = oneOf(datasets, missing);
  const batch = oneOf(batches, missing);
  const upstream = await startVendorRoutes(
    [
      [
        'POST',
        /^\/v1\/datasets$/,
        async (call) => {
          const query = new URLSearchParams(call.request.path.split('?')[1]);
          const { text, name } = await readFile(call.request, 'data');
          const [called, type] = [query.get('name') ?? '', query.get('type') ?? ''];
          if (called === '' || !name.endsWith('.jsonl')) call.json({ message: 'Wrong.' }, { status: 400 });
          else call.json({ id: keep(called, type, parsed(text)) });
        },
      ],
      [
        'GET',
        /^\/v1\/datasets\/([^/]+)$/,
        dataset((found, call) => {
          found.asked += 1;
          const { id, name, dataset_type, error } = found;
          const times = { created_at: time, updated_at: time };
          const about = { ...{ id, name, dataset_type, ...times }, validation_status: toStatus(found) };
          call.json({
            dataset: {
              ...about,
              ...(about.validation_status === 'failed' ? { validation_error: error } : {}),
              ...(about.validation_status === 'validated' ? { dataset_parts: toParts(found) } : {}),
            },
          });
        }),
      ],
      [
        'DELETE',
        /^\/v1\/datasets\/([^/]+)$/,
        dataset(({ id }, call) => {
          datasets.delete(id);
          call.json({});
        }),
      ],
      [
        'POST',
        /^\/v2\/batches$/,
        (call) => {
          const { name, input_dataset_id, model } = call.request.json();
          const input = datasets.get(input_dataset_id);
          const isRight = input !== undefined && toStatus(input) === 'validated' && name !== '' && model !== 'gone';
          if (!isRight || call.request.header('authorization') !== 'Bearer sk-1')
            return call.json({ message: `model '${model}' not found` }, { status: 404 });
          const made = {
            ...{ id: randomUUID(), name, creator_id: 'c', org_id: 'o', status: 'BATCH_STATUS_QUEUED', model },
            ...{ created_at: time, updated_at: time, input_dataset_id, output_dataset_id: '' },
            ...{ input_tokens: '0', output_tokens: '0', status_reason: '' },
            ...{ num_records: input.records.length, num_successful_records: 0, num_failed_records: 0 },
          };
          batches.set(made.id, made);
          call.json({ batch: made });
        },
      ],
      ['GET', /^\/v2\/batches\/([^/:]+)$/, batch((found, call) => call.json({ batch: found }))],
      [
        'POST',
        /^\/v2\/batches\/([^/:]+):cancel$/,
        batch((found, call) => {
          found.status = 'BATCH_STATUS_CANCELING';
          call.json({});
        }),
      ],
    ],
    missing,
  );

  const finishBatch = (found: Batch): void => {
    const { records = [], dataset_type = '' } = datasets.get(found.input_dataset_id) ?? {};
    const results = records.map(toResult);
    const failures = results.filter(({ error }) => error !== '').length;
    Object.assign(found, {
      ...{ status: 'BATCH_STATUS_COMPLETED', num_failed_records: failures },
      num_successful_records: results.length - failures,
      output_dataset_id: keep(`${found.name}-output`, dataset_type.replace('-input', '-output'), results),
    });
  };

  const running = (): readonly Batch[] =>
    [...batches.values()].filter(({ status }) => status === 'BATCH_STATUS_QUEUED');

  return {
    storage,
    upstream: {
      ...upstream,
      async close() {
        await storage.close();
        await upstream.close();
      },
    },
    datasets: () => [...datasets.keys()],
    finish: () => {
      for (const found of running()) finishBatch(found);
      for (const found of batches.values())
        if (found.status === 'BATCH_STATUS_CANCELING') found.status = 'BATCH_STATUS_CANCELED';
    },
    fail: (reason) => {
      for (const found of running()) Object.assign(found, { status: 'BATCH_STATUS_FAILED', status_reason: reason });
    },
    answerParts: (answer = asItIs) => {
      answerPart = answer;
    },
  };
};
