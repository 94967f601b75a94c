import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../../support/servers/free-port.ts';
import { sumsAfter, toFaults } from './soak-faults.ts';

const before = { attempts: 1, input_tokens: 180, output_tokens: 160, nano_usd: 123_000n };
const after = { attempts: 4, input_tokens: 720, output_tokens: 640, nano_usd: 492_000n };

// It builds the gateway as it is installed, which takes a minute on a busy machine.
it('finds every answered request of a short soak run in the ledger', { timeout: 300_000 }, async () => {
  const soak = path.join(import.meta.dirname, 'soak.ts');
  const env = { ...process.env, BENCH_PORT: String(await freePort()) };
  const args = [soak, '--minutes=0.05', '--rate=50'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  expect(stderr).toBe('');
  expect(stdout).toMatch(
    /^(\d+) answers, p99 [\d.]+ ms; the ledger has \1 attempts of them, \d+ nano-dollars in all\.$/m,
  );
  expect(stdout).toContain('Exact: nothing failed, nothing was dropped.');
});

it('reports no faults if the ledger has the usage of every answer', () => {
  expect(toFaults({ failures: 0, dropped: 0, expected: sumsAfter(before, 3), found: after })).toEqual([]);
});

it.each([
  [{ found: { ...after, attempts: 3 } }, 'The ledger has 3 attempts, and 4 were answered.'],
  [{ found: { ...after, nano_usd: 492_001n } }, 'The ledger has 492001 nano_usd, and 492000 were answered.'],
  [{ failures: 2 }, '2 requests failed.'],
  [{ dropped: 7 }, 'The log dropped 7 records.'],
])('reports the fault of the run %o', (run, error) => {
  expect(toFaults({ failures: 0, dropped: 0, expected: sumsAfter(before, 3), found: after, ...run })).toEqual([error]);
});
