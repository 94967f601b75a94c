import { describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway-process.ts';
import { installedGw } from '../support/installed-gateway.ts';

/** Node as it is where optional packages were left out. */
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
  ])('does not start with %j, and says in one sentence what to install', async (settings, sentence) => {
    const error = await start(settings).catch(String);
    expect(error).toContain(`gw: ${sentence} Run: npm install `);
  });
});
