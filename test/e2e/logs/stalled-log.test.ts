import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';

let gateway: GatewayProcess;

beforeEach(async () => {
  gateway = await startGateway({
    files: { 'gateway.json': { limits: { drain_ms: 3000 } } },
    env: { GW_LOG: 'requests' },
  });
});
afterEach(() => gateway.stop());

/** Sends requests with long log lines, because a line contains the path of its request. */
const sendMany = async (count: number): Promise<void> => {
  const path = `/v1/${'x'.repeat(40_000)}`;
  for (let sent = 0; sent < count; sent += 1) {
    const answer = await fetch(`${gateway.origin}${path}`, {
      method: 'POST',
      headers: { 'x-gw-provider': 'echo', 'content-type': 'text/plain' },
      body: 'hello',
    });
    expect(await answer.text()).toBe('hello');
  }
};

const lines = (): readonly Record<string, unknown>[] => gateway.records().filter((record) => 'trace' in record);
const dropped = (): number =>
  gateway.records().reduce((sum, record) => sum + (typeof record.dropped === 'number' ? record.dropped : 0), 0);

describe('a request log that nothing reads', () => {
  it('takes a limited amount of memory, and reports what is missing when it is read again', async () => {
    gateway.read(false);
    await sendMany(100);
    gateway.read(true);
    await expect.poll(() => lines().length + dropped()).toBe(100);
    // 1 MiB in the gateway, and what the pipe and the reader buffer.
    expect(lines().length * 40_000).toBeLessThan(2_000_000);
    expect(dropped()).toBeGreaterThan(40);
    const kept = lines().length;
    await sendMany(2);
    await expect.poll(() => lines().length).toBe(kept + 2);
  });

  it('does not prevent the gateway from ending within its drain time', async () => {
    gateway.read(false);
    await sendMany(60);
    const began = performance.now();
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(performance.now() - began).toBeLessThan(3500);
  });

  it('is written completely before the gateway ends if it is read', async () => {
    gateway.read(false);
    await sendMany(20);
    gateway.signal('SIGTERM');
    gateway.read(true);
    expect(await gateway.exited).toBe(0);
    await expect.poll(() => lines().length).toBe(20);
  });
});

describe('a request log on a full disk', () => {
  it.runIf(existsSync('/dev/full'))('does not end the gateway, and its lost lines are counted', async () => {
    const full = await startGateway({
      files: { 'gateway.json': { metrics: true } },
      env: { GW_LOG: 'requests' },
      command: ['/bin/sh', '-c', 'exec "$0" "$@" > /dev/full', process.execPath, installedGw],
    });
    const send = () =>
      fetch(`${full.baseUrl}/x`, { method: 'POST', headers: { 'x-gw-provider': 'echo' }, body: 'hello' });
    try {
      for (let sent = 0; sent < 2; sent += 1) expect(await (await send()).text()).toBe('hello');
      const metrics = await (await fetch(`${full.origin}/metrics`)).text();
      expect(metrics).toContain('gatewright_log_records_dropped_total 2\n');
    } finally {
      await full.stop();
    }
  });
});
