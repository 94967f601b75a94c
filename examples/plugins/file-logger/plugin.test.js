import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyPlugin, createTestExchange } from 'gatewright/testing';
import plugin from './plugin.js';

test('a request is a line, without its texts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'file-logger-'));
  const file = join(folder, 'requests.log');
  const hooks = applyPlugin(plugin, { file });
  const response = {
    status: 200,
    headers: [],
    origin: 'upstream',
    body: { kind: 'bytes', bytes: Buffer.from('secret') },
  };
  const exchange = createTestExchange({ path: '/chat/completions', body: { messages: ['secret'] } });
  exchange.trail.push({ kind: 'attempted', path: '', target: 'fast', attempt: 1, status: 200, origin: 'upstream' });
  hooks.completed.call(response, exchange, 'complete');
  await hooks.close.promise();
  const text = readFileSync(file, 'utf8');
  assert.equal(text.split('\n').length, 2);
  assert.doesNotMatch(text, /secret/);
  const { time, ...line } = JSON.parse(text);
  assert.ok(Date.parse(time) > 0);
  assert.deepEqual(line, {
    traceId: 'test-trace',
    path: '/chat/completions',
    status: 200,
    end: 'complete',
    attempts: [{ target: 'fast', status: 200 }],
  });
  rmSync(folder, { recursive: true });
});

test('a file that cannot be written ends nothing', async () => {
  const hooks = applyPlugin(plugin, { file: join(tmpdir(), 'no-such-folder', 'requests.log') });
  await hooks.close.promise();
});
