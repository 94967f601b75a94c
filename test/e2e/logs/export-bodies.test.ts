import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey, control, serveStore } from '../../support/gateways/stored-gateway.ts';

const records = 100;
const bodyBytes = 1_000_000;
const exports = 8;

/** Returns the peak memory of a gateway in mebibytes. */
const toPeak = ({ pid }: GatewayProcess): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

it.runIf(existsSync('/proc/self/status'))('concurrent exports without bodies do not read the bodies', async () => {
  const gateway = await serveStore();
  const sent = {
    request: { url: 'https://api.test/v1/chat', body: { model: 'm' } },
    response: { status: 200, body: {}, response_time: 1 },
    metadata: { trace_id: 'a' },
  };
  await control(gateway, 'POST /logs', { body: Array.from({ length: records }, () => sent) });
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
  const db = new DatabaseSync(path.join(gateway.folder, 'gateway-log.db'));
  const { changes } = db
    .prepare('insert into log_bodies (number, bodies) select number, ? from log_rows')
    .run('x'.repeat(bodyBytes));
  db.close();
  expect(changes).toBe(records);
  const again = await serveStore(undefined, { folder: gateway.folder });
  const lines = async (): Promise<number> => {
    const answer = await fetch(`${again.baseUrl}/logs/export`, { headers: { 'x-gw-api-key': adminKey } });
    return (await answer.text()).trimEnd().split('\n').length;
  };
  const before = toPeak(again);
  const counts = await Promise.all(Array.from({ length: exports }, lines));
  expect(counts).toEqual(Array.from({ length: exports }, () => records));
  // A single export that reads the bodies would take a hundred megabytes.
  expect(toPeak(again) - before).toBeLessThan(80);
});
