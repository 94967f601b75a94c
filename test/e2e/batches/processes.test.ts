import { describe, expect, it, onTestFinished } from 'vitest';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { postgresFolder, startPostgres } from '../../support/postgres-server.ts';
import { control, serveStore } from '../../support/stored-gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startUpstream } from '../../support/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { caller, formOf, forUs } from '../files/support.ts';

const programs = postgresFolder();
/** 50,000 is as many as a batch may have. */
const count = Number(process.env.BATCH_LINES ?? 300);
const minute = 60_000;

const line = (id: number): string =>
  `${JSON.stringify({
    ...{ custom_id: `line-${id}`, method: 'POST', url: '/v1/chat/completions' },
    body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: `Number ${id}` }] },
  })}\n`;

interface Counts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
}

describe.runIf(programs !== undefined)('gateways on one PostgreSQL', () => {
  it(
    'run a batch together: one that is killed loses none of its lines, and no line has two results',
    async () => {
      const server = await startPostgres(programs ?? '');
      onTestFinished(() => server.stop());
      const upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
      onTestFinished(() => upstream.close());
      const ref = '${env:' + 'STORE_URL}';
      const files = { 'gateway.json': { store: { url: ref, files: { folder: temporaryFolder() } } } };
      const start = (): Promise<GatewayProcess> => serveStore(server.url, { files, env: { STORE_URL: server.url } });
      const [killed, other] = [await start(), await start()];
      const settings = { custom_host: `${upstream.origin}/v1` };
      await control(other, 'POST /providers', {
        body: { name: 'Main', slug: 'main', provider: 'openai', credential: { api_key: 'sk-main' }, settings },
      });

      const call = caller(other);
      const text = Array.from({ length: count }, (_, at) => line(at)).join('');
      const form = formOf([
        ['purpose', 'batch'],
        ['file', Buffer.from(text)],
      ]);
      const file = (await (await call('POST /files', { headers: forUs, body: form })).json()) as { id: string };
      const headers = { 'x-gw-virtual-key': 'main', 'content-type': 'application/json' };
      const body = JSON.stringify({
        ...{ input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: 'immediate' },
      });
      // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects in it
      const json = async (answer: Promise<Response>): Promise<any> => (await answer).json();
      const { id } = await json(call('POST /batches', { headers, body }));

      const counted: number[] = [];
      const batch = async (): Promise<{ status: string; request_counts: Counts }> => {
        const seen = await json(call(`GET /batches/${id}`, { headers }));
        const { total, completed, failed } = seen.request_counts as Counts;
        expect([0, count]).toContain(total);
        counted.push(completed + failed);
        return seen;
      };
      await expect
        .poll(async () => (await batch()).request_counts.completed, { timeout: minute })
        .toBeGreaterThan(count / 10);
      killed.signal('SIGKILL');
      await killed.exited;
      await expect.poll(async () => (await batch()).status, { interval: 100, timeout: 10 * minute }).toBe('completed');

      const ended = await json(call(`GET /batches/${id}`, { headers }));
      expect(ended.request_counts).toEqual({ total: count, completed: count, failed: 0 });
      expect(counted).toEqual(counted.toSorted((one, next) => one - next));
      const output = await (await call(`GET /batches/${id}/output`, { headers })).text();
      const ids = output
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each).custom_id as string);
      expect(ids.length).toBe(count);
      expect(new Set(ids).size).toBe(count);
      expect(ended).not.toHaveProperty('error_file_id');
      // The lines that the killed one had sent are sent again.
      expect(upstream.requests.length).toBeGreaterThanOrEqual(count);
      expect(upstream.requests.every((request) => request.header('authorization') === 'Bearer sk-main')).toBe(true);
    },
    20 * minute,
  );
});
