import { describe, expect, it } from 'vitest';
import { createRefusalDigest, type RefusedKeys } from '../../../../plugins/sdk/logs/refusal-digest.ts';
import { toNetwork } from '../../../../plugins/sdk/logs/to-network.ts';
import { lastRefused } from '../../../../plugins/telemetry/metrics/last-refused.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';

const start = () => {
  const clock = createVirtualClock();
  const reports: (readonly RefusedKeys[])[] = [];
  const digest = createRefusalDigest({
    clock,
    intervalMs: 1000,
    maxAddresses: 3,
    maxAtOnce: 4,
    report: (refused) => reports.push(refused),
  });
  return { clock, reports, digest };
};

describe('rejected keys', () => {
  it('are reported immediately while there are few, and each rejection is counted once', async () => {
    const { clock, reports, digest } = start();
    digest.note({ address: '10.0.0.1', keyId: 'a', at: 1 });
    digest.note({ address: '10.0.0.1', keyId: 'a', at: 2 });
    digest.note({ address: '10.0.0.2', at: 3 });
    expect(reports).toMatchObject([
      [{ address: '10.0.0.1', count: 1, keyIds: new Map([['a', 1]]), since: 1, until: 1 }],
      [{ address: '10.0.0.2', count: 1, keyIds: new Map() }],
    ]);
    await clock.advance(1000);
    expect(reports.slice(2)).toMatchObject([
      [{ address: '10.0.0.1', count: 1, keyIds: new Map([['a', 1]]), since: 2, until: 2 }],
    ]);
    await clock.advance(5000);
    expect(reports.length).toBe(3);
  });

  it('of one address neither fill the digest nor hide those of other addresses', async () => {
    const { clock, reports, digest } = start();
    for (let at = 0; at < 100_000; at += 1) digest.note({ address: '10.0.0.1', keyId: `key-${at}`, at });
    expect(reports.length).toBe(2);
    digest.note({ address: '10.0.0.2', keyId: 'theirs', at: 100_000 });
    expect(reports[2]).toMatchObject([{ address: '10.0.0.2', keyIds: new Map([['theirs', 1]]) }]);
    await clock.advance(1000);
    const [flood] = reports[3] ?? [];
    expect(flood).toMatchObject({ address: '10.0.0.1', count: 99_998 });
    expect(flood?.keyIds.size).toBeLessThanOrEqual(8);
    expect(reports.flat().reduce((sum, { count }) => sum + count, 0)).toBe(100_001);
  });

  it('are counted together if they come from more addresses than the digest can hold', async () => {
    const { clock, reports, digest } = start();
    for (let at = 0; at < 1000; at += 1) digest.note({ address: `10.0.${at >> 8}.${at & 255}`, at });
    await clock.advance(1000);
    expect(reports.length).toBe(4);
    expect(reports[3]).toMatchObject([{ count: 997 }]);
    expect(reports[3]?.[0]).not.toHaveProperty('address');
    for (let at = 0; at < 9; at += 1) digest.note({ address: '10.9.9.9', at });
    digest.close();
    expect(reports.slice(4)).toMatchObject([[{ address: '10.9.9.9', count: 1 }], [{ address: '10.9.9.9', count: 8 }]]);
  });

  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::10.0.0.1', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:10.0.0.1', '1:2:3:4::/64'],
  ])('from %s are grouped under %s', (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });

  it('are listed in metrics by recent addresses, and no address evicts another', () => {
    const refused = lastRefused();
    refused.note({ address: '10.0.0.9', keyId: 'theirs', at: 0 });
    for (let at = 0; at < 10_000; at += 1) refused.note({ address: '10.0.0.1', keyId: `key-${at}`, at });
    for (let at = 0; at < 7; at += 1) refused.note({ address: '10.0.0.2', at });
    expect(refused.read()).toContainEqual({ values: ['10.0.0.9', 'theirs'], value: 1 });
    expect(refused.read()).toContainEqual({ values: ['10.0.0.2', 'unknown'], value: 7 });
    expect(refused.read().length).toBe(6);
    for (let at = 0; at < 10_000; at += 1) refused.note({ address: `10.1.${at >> 8}.${at & 255}`, at });
    expect(refused.read().length).toBe(32);
  });
});
