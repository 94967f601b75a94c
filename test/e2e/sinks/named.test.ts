import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';

/** Returns what `gw check` reports about a gateway file with these sinks, each on its own line. */
const check = async (...sinks: readonly object[]): Promise<string> => {
  const folder = temporaryFolder();
  const lines = sinks.map((sink) => `    ${JSON.stringify(sink)}`).join(',\n');
  writeFolder({ 'gateway.json': `{ "log": { "sinks": [\n${lines}\n] } }`, 'app.json': { provider: 'echo' } }, folder);
  const { out, err } = await runGw(folder, ['check', 'app.json']);
  return `${out}${err}`;
};

describe('a gateway file with sinks', () => {
  it('is valid if its options are', async () => {
    expect(
      await check(
        { sink: 'webhook', url: 'https://example.com/hook', secret: '${env:HOOK}', sample: 0.5, workspaces: ['shop'] },
        { sink: 'webhook', name: 'other', url: '${env:URL}', headers: { authorization: '${env:TOKEN}' } },
        { sink: 's3', url: 's3://bucket/logs', region: 'eu-west-1', encryption: 'aws:kms', kms_key_id: 'alias/logs' },
        { sink: 'langfuse', public_key: '${env:PUBLIC}', secret_key: '${file:/run/secrets/langfuse}' },
        { sink: 'datadog', api_key: '${env:KEY}', site: 'datadoghq.eu', tags: ['env:prod'] },
      ),
    ).toContain('nothing to report');
  });

  it.each([
    [{ sink: 'webhok', url: 'https://a.example' }, 'unknown-sink', 2, 'Did you mean "webhook"?'],
    [{ sink: 'webhook', ulr: 'https://a.example' }, 'unknown-key', 2, 'Did you mean "url"?'],
    [{ sink: 'webhook' }, 'missing-key', 2, '"url"'],
    [{ sink: 'webhook', url: 'ftp://a.example' }, 'wrong-form', 2, 'a URL such as'],
    [{ sink: 'datadog', api_key: 'a-key-that-is-written-out' }, 'literal-secret', 2, 'Write a reference'],
    [{ sink: 'datadog', api_key: '${env:KEY}', sample: 2 }, 'out-of-range', 2, 'at most 1'],
    [
      { sink: 's3', url: 's3://bucket', access_key_id: '${env:A}' },
      'wrong-sink-options',
      2,
      'Set "access_key_id" and "secret_access_key" together',
    ],
    [
      { sink: 'webhook', url: 'https://a.example', headers: { 'content-type': '${env:A}' } },
      'wrong-sink-options',
      2,
      'cannot be set',
    ],
  ])('gets an error that names the mistake in %j', async (sink, code, line, hint) => {
    const said = await check(sink);
    expect(said).toContain(`error[${code}]`);
    expect(said).toMatch(new RegExp(`gateway\\.json:${line}:\\d+ +/log/sinks/0`));
    expect(said).toContain(hint);
    expect(said).not.toContain('a-key-that-is-written-out');
  });

  it('gets an error if two sinks have the same name', async () => {
    const webhook = { sink: 'webhook', name: 'one', url: 'https://a.example' };
    expect(await check(webhook, webhook)).toContain('Two sinks are called "one".');
  });
});

/** Returns the message of a gateway that does not start. */
const refused = async (file: object, store: boolean): Promise<string> => {
  const started = startGateway({ files: { 'gateway.json': file }, args: store ? ['--store', 'gateway.db'] : [] });
  const error: unknown = await started.then(
    (gateway) => gateway.stop(),
    (reason: unknown) => reason,
  );
  return String(error);
};

describe('a gateway does not start', () => {
  it('with sinks but without a store', async () => {
    const log = { sinks: [{ sink: 'webhook', url: 'https://a.example' }] };
    expect(await refused({ log }, false)).toContain('"log.sinks" in the gateway file needs a store');
  });

  it('if a reference of a sink is not set', async () => {
    const log = { sinks: [{ sink: 'datadog', api_key: '${env:NOT_SET_ANYWHERE}' }] };
    expect(await refused({ log }, true)).toContain('refers to ${env:NOT_SET_ANYWHERE}, which is not set');
  });

  it('if a sink cannot be opened, and explains why without its secret', async () => {
    process.env.A_WRONG_SECRET = 'not-a-secret-of-webhooks';
    const sink = { sink: 'webhook', url: 'https://a.example', secret: '${env:A_WRONG_SECRET}' };
    const said = await refused({ log: { sinks: [sink] } }, true);
    delete process.env.A_WRONG_SECRET;
    expect(said).toContain('The sink "webhook" in "log.sinks" of the gateway file cannot be used');
    expect(said).toContain('whsec_');
    expect(said).not.toContain('not-a-secret');
  });
});
