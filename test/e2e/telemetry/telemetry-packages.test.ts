import { describe, expect, it } from 'vitest';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';

/** Makes Node behave as if the optional packages were not installed. */
const withoutPackages = `
import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    if (!/^(@opentelemetry|prom-client)/.test(specifier)) return next(specifier, context);
    throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
`;

const start = (settings: object): Promise<unknown> =>
  startGateway({
    files: { 'gateway.json': settings },
    command: [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(withoutPackages)}`, installedGw],
  });

describe('a gateway without the optional packages', () => {
  it.each([
    [{ metrics: true }, '"metrics" in the gateway file needs the package prom-client, which is not installed.'],
    [
      { telemetry: { otlp: { url: 'http://localhost:4318' } } },
      '"telemetry" in the gateway file needs packages of OpenTelemetry that are not installed.',
    ],
  ])('does not start with %j, and names the missing package in one sentence', async (settings, sentence) => {
    const error = await start(settings).catch(String);
    expect(error).toContain(`gw: ${sentence} Run: npm install `);
  });
});
