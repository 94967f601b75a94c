import { expect, it } from 'vitest';
import { checkMetrics } from '../../../compiler/gateway-file/check-metrics.ts';

it('a host of metrics without a port is an error, as it opens none', () => {
  expect(checkMetrics({ host: '0.0.0.0' })).toMatchObject([
    { code: 'host-without-port', pointer: '/metrics/host', hint: expect.stringContaining('Add "port"') },
  ]);
});

it.each([{}, { tokens: true }, { port: 9464 }, { host: '0.0.0.0', port: 9464 }])('%j has no error', (metrics) => {
  expect(checkMetrics(metrics)).toEqual([]);
});
