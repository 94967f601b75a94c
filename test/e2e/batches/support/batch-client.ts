import { expect } from 'vitest';
import type { GatewayProcess } from '../../../support/gateways/gateway-process.ts';
import { caller, forUs, toForm } from '../../files/support.ts';

export interface Counts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
}

/** A batch as the API returns it. */
export interface BatchView {
  readonly id: string;
  readonly status: string;
  readonly request_counts: Counts;
  readonly cost: number;
  readonly output_file_id?: string;
  readonly error_file_id?: string;
  readonly errors?: { readonly data: readonly { readonly code: string }[] };
}

/** A line of an output or error file. */
export interface ResultLine {
  readonly id: string;
  readonly custom_id: string;
  readonly response: { readonly status_code: number; readonly body: object } | null;
  readonly error: { readonly code: string } | null;
}

const ends = ['completed', 'cancelled', 'expired', 'failed'];

export const toLine = (id: number | string, body: object = {}): string =>
  `${JSON.stringify({
    ...{ custom_id: `line-${id}`, method: 'POST', url: '/v1/chat/completions' },
    body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: `Number ${id}` }], ...body },
  })}\n`;

export const toLines = (count: number): string => Array.from({ length: count }, (_, at) => toLine(at)).join('');

/** The custom ids of this many lines, sorted as text. */
export const toIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `line-${at}`).sort();

export interface BatchClient {
  call: ReturnType<typeof caller>;
  readonly headers: Readonly<Record<string, string>>;
  /** Uploads an input file and returns its id. */
  upload(bytes: string | Buffer): Promise<string>;
  /** Creates a batch of a file. */
  create(file: string): Promise<BatchView>;
  get(id: string): Promise<BatchView>;
  cancel(id: string): Promise<Response>;
  results(file: string | undefined): Promise<readonly ResultLine[]>;
  /** Reads both files of a batch. Checks that each of the ids is in one of them, once, and that the counts match. */
  readFiles(
    batch: BatchView,
    ids: readonly string[],
  ): Promise<{ readonly output: readonly ResultLine[]; readonly errors: readonly ResultLine[] }>;
  /** Returns the batch when it has ended. Checks its counts on every poll. */
  over(id: string, expected: { readonly count: number; readonly timeout?: number }): Promise<BatchView>;
}

/** A client for batches of the saved provider `main`. `gateway` returns the gateway to call at that time. */
export const batchClient = (
  gateway: () => GatewayProcess,
  more: Readonly<Record<string, string>> = {},
): BatchClient => {
  const headers = { ...more, 'x-gw-virtual-key': 'main', 'content-type': 'application/json' };
  const call: BatchClient['call'] = (request, init = {}) =>
    caller(gateway())(request, { ...init, headers: { ...more, ...init.headers } });
  const json = async <Value>(answer: Promise<Response>): Promise<Value> => {
    const got = await answer;
    const text = await got.text();
    if (!got.ok) throw new Error(`${got.status} ${text}`);
    return JSON.parse(text);
  };
  const upload = async (bytes: string | Buffer): Promise<string> => {
    const form = toForm([
      ['purpose', 'batch'],
      ['file', Buffer.from(bytes)],
    ]);
    return (await json<{ id: string }>(call('POST /files', { headers: forUs, body: form }))).id;
  };
  const get = (id: string) => json<BatchView>(call(`GET /batches/${id}`, { headers }));
  const results = async (file: string | undefined): Promise<readonly ResultLine[]> => {
    if (file === undefined) return [];
    const answer = await call(`GET /files/${file}/content`);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text.endsWith('\n')).toBe(true);
    return text
      .slice(0, -1)
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  return {
    ...{ call, headers, upload, get, results },
    create(file) {
      const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: 'immediate' };
      return json<BatchView>(call('POST /batches', { headers, body: JSON.stringify(asked) }));
    },
    cancel: (id) => call(`POST /batches/${id}/cancel`, { headers }),
    async readFiles({ output_file_id, error_file_id, request_counts: counts }, ids) {
      const [output, errors] = [await results(output_file_id), await results(error_file_id)];
      expect([...output, ...errors].map((line) => line.custom_id).sort()).toEqual(ids);
      expect(counts).toEqual({ total: ids.length, completed: output.length, failed: errors.length });
      return { output, errors };
    },
    async over(id, { count, timeout = 60_000 }) {
      let before = 0;
      const look = async (): Promise<boolean> => {
        const { status, request_counts: counts } = await get(id);
        const counted = counts.completed + counts.failed;
        expect([0, count]).toContain(counts.total);
        expect(counted).toBeGreaterThanOrEqual(before);
        expect(counted).toBeLessThanOrEqual(counts.total);
        before = counted;
        return ends.includes(status);
      };
      await expect.poll(look, { interval: 50, timeout }).toBe(true);
      return get(id);
    },
  };
};
