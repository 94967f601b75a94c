import type { UpstreamCall } from '../../servers/upstream-server.ts';
import { oneOf } from '../one-of.ts';
import { openaiAnswer } from '../openai-wire.ts';
import { startVendorRoutes } from '../vendor-routes.ts';
import { type BatchVendor, toAsked } from './batch-vendor.ts';
import { lineFiles } from './line-files.ts';
import { readFile } from './read-file.ts';

interface Batch {
  status: string;
  readonly input_file_id: string;
  readonly [member: string]: unknown;
}

const missing = (call: UpstreamCall): void =>
  call.json(
    { error: { message: 'No such thing.', type: 'invalid_request_error', param: null, code: null } },
    { status: 404 },
  );

/** Simulates batches, including the nulls in real answers: https://platform.openai.com/docs/api-reference/batch */
export const startOpenaiBatches = async (base = '/v1'): Promise<BatchVendor> => {
  const batches = new Map<string, Batch>();
  const files = lineFiles((count) => `file-${count + 1}`);
  const own = `${base}/batches`;
  const one = oneOf(batches, missing);
  const upstream = await startVendorRoutes(
    [
      [
        'POST',
        new RegExp(`^${base}/files$`),
        async (call) => {
          const { text, name, purpose } = await readFile(call.request);
          const id = files.keep(text);
          call.json({ id, object: 'file', bytes: text.length, created_at: 1_790_000_000, filename: name, purpose });
        },
      ],
      [
        'GET',
        new RegExp(`^${base}/files/([^/]+)/content$`),
        (call, [id = '']) =>
          call.answer({ headers: { 'content-type': 'application/octet-stream' }, body: files.text(id) }),
      ],
      [
        'POST',
        new RegExp(`^${own}$`),
        (call) => {
          const { input_file_id, endpoint, completion_window, metadata = null } = call.request.json();
          const total = files.lines(input_file_id).length;
          const batch = {
            ...{ id: `batch_${batches.size + 1}`, object: 'batch', endpoint, errors: null, input_file_id },
            ...{ completion_window, status: 'validating', output_file_id: null, error_file_id: null, metadata },
            ...{ created_at: 1_790_000_000, in_progress_at: null, expires_at: 1_790_086_400, finalizing_at: null },
            ...{ completed_at: null, failed_at: null, expired_at: null, cancelling_at: null, cancelled_at: null },
            request_counts: { total, completed: 0, failed: 0 },
          };
          batches.set(batch.id, batch);
          call.json(batch);
        },
      ],
      [
        'GET',
        new RegExp(`^${own}$`),
        (call) => {
          const { searchParams } = new URL(call.request.path, 'http://h');
          const all = [...batches.values()].reverse();
          const data = all.slice(all.findIndex(({ id }) => id === searchParams.get('after')) + 1);
          call.json({ object: 'list', data, has_more: false, first_id: data[0]?.id, last_id: data.at(-1)?.id });
        },
      ],
      ['GET', new RegExp(`^${own}/([^/]+)$`), one((batch, call) => call.json(batch))],
      [
        'POST',
        new RegExp(`^${own}/([^/]+)/cancel$`),
        one((batch, call) => {
          Object.assign(batch, { status: 'cancelling', cancelling_at: 1_790_000_300 });
          call.json(batch);
        }),
      ],
    ],
    missing,
  );
  const finishBatch = (batch: Batch): void => {
    const results = files.lines(batch.input_file_id).map(({ custom_id, body }, at) => {
      const failed = toAsked(body).includes('fail');
      const error = { message: 'It cannot be done.', type: 'invalid_request_error', param: null, code: null };
      const response = failed
        ? { status_code: 400, request_id: `r${at}`, body: { error } }
        : { status_code: 200, request_id: `r${at}`, body: openaiAnswer({ text: 'Done.', model: body.model }) };
      return { failed, line: { id: `batch_req_${at}`, custom_id, response, error: null } };
    });
    const { output, error } = files.results(results);
    const failures = results.filter(({ failed }) => failed).length;
    Object.assign(batch, {
      ...{ status: 'completed', completed_at: 1_790_000_600, in_progress_at: 1_790_000_001 },
      request_counts: { total: results.length, completed: results.length - failures, failed: failures },
      ...{ output_file_id: output, error_file_id: error },
    });
  };
  return {
    upstream,
    finish: () => {
      for (const batch of batches.values()) {
        if (batch.status === 'validating') finishBatch(batch);
        if (batch.status === 'cancelling') Object.assign(batch, { status: 'cancelled', cancelled_at: 1_790_000_400 });
      }
    },
  };
};
