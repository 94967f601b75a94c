import { describe, expect, it } from 'vitest';
import { greeting, metricsGreeting } from '../../../runtime/cli/greeting.ts';

const firstLine = (host: string): string | undefined =>
  greeting({ host, port: 8787, settings: {}, plans: [] }).split('\n')[0];

describe('the greeting', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:8787'],
    ['::', 'http://[::1]:8787'],
  ])('says that %s is all addresses, as that of metrics does', (host, url) => {
    const everywhere = ', and at port 8787 of all addresses of this machine';
    expect(firstLine(host)).toBe(`Gatewright listens on ${url}${everywhere}`);
    expect(metricsGreeting({ host, port: 8787 })).toBe(`Metrics are at ${url}/metrics${everywhere}.`);
  });

  it.each(['127.0.0.1', '10.0.0.5'])('names %s alone', (host) => {
    expect(firstLine(host)).toBe(`Gatewright listens on http://${host}:8787`);
  });
});
