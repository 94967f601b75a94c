import { expect, it } from 'vitest';
import { checkMetrics } from '../../../compiler/gateway-file-checks/check-metrics.ts';

it('a metrics host without a port is an error, because no port is opened', () => {
  expect(checkMetrics({ host: '0.0.0.0' })).toMatchObject([
    { code: 'host-without-port', pointer: '/metrics/host', hint: expect.stringContaining('Add "port"') },
  ]);
});

it.each([{}, { tokens: true }, { port: 9464 }, { host: '0.0.0.0', port: 9464 }])(
  'the metrics settings %j have no error',
  (metrics) => {
    expect(checkMetrics(metrics)).toEqual([]);
  },
);
