import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';

let gateway: GatewayProcess;

beforeEach(async () => {
  gateway = await startGateway({
    files: { 'gateway.json': { limits: { drain_ms: 3000 } } },
    env: { GW_LOG: 'requests' },
  });
});
afterEach(() => gateway.stop());

/** Requests whose lines are long, since a line has its request's path. */
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

describe('a request log that is not read', () => {
  it('takes a bounded amount of memory, and says what is missing when somebody reads it again', async () => {
    gateway.read(false);
    await sendMany(100);
    gateway.read(true);
    await expect.poll(() => lines().length + dropped()).toBe(100);
    // 1 MiB in the gateway, and what the pipe and the reader take.
    expect(lines().length * 40_000).toBeLessThan(2_000_000);
    expect(dropped()).toBeGreaterThan(40);
    const kept = lines().length;
    await sendMany(2);
    await expect.poll(() => lines().length).toBe(kept + 2);
  });

  it('does not keep the gateway from ending within its drain', async () => {
    gateway.read(false);
    await sendMany(60);
    const began = performance.now();
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(performance.now() - began).toBeLessThan(3500);
  });

  it('is read to its end before the gateway ends, where somebody reads it', async () => {
    gateway.read(false);
    await sendMany(20);
    gateway.signal('SIGTERM');
    gateway.read(true);
    expect(await gateway.exited).toBe(0);
    await expect.poll(() => lines().length).toBe(20);
  });
});
