import { chmodSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { DoctorFinding } from '../../support/commands/run-doctor.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { expired, hasOpenssl, makeAuthority } from '../../support/servers/certificates.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { startProxy } from '../../support/servers/proxy-server.ts';
import { startCertified } from '../../support/servers/tls-server.ts';
import { started } from '../alerts/support/receivers.ts';
import { corporateHost } from './support/egress-world.ts';

const password = 's3cret-of-the-proxy';

/** Sets only these variables while something runs. */
const withVariables = async <Result>(
  variables: Readonly<Record<string, string>>,
  run: () => Promise<Result>,
): Promise<Result> => {
  for (const name of Object.keys(process.env)) if (name !== 'PATH') vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    return await run();
  } finally {
    vi.unstubAllEnvs();
  }
};

/** Examines a gateway file and returns each problem as one line. Runs as the user of the tests, who may be root. */
const examine = async (
  file: object,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<readonly string[]> => {
  const folder = temporaryFolder({ 'gateway.json': file });
  const variables = { PORT: String(await freePort()), KEY: 'sk-provider', ...env };
  const argv = ['doctor', '--format', 'json', '--timeout-ms', '8000', ...args];
  const { out, err } = await withVariables(variables, () => runGw(folder, argv));
  expect(out + err).not.toContain(password);
  const { findings } = JSON.parse(out) as { readonly findings: readonly DoctorFinding[] };
  return findings
    .filter(({ check, severity }) => severity !== 'note' && check !== 'user')
    .map(({ check, severity, what, remedy }) => `${severity}[${check}] ${what} = ${remedy}`);
};

const provider = (base: string, tls?: object): object => ({
  ...{ provider: 'openai', credential: { api_key: '${env:KEY}' }, settings: { custom_host: base } },
  ...(tls === undefined ? {} : { tls }),
});

/** A provider without a credential, because a credential must not be sent in clear text. */
const keyless = (base: string): object => ({ provider: 'vllm', settings: { custom_host: base } });

const twoHosts = {
  providers: { one: keyless(`http://${corporateHost}/v1`), two: keyless('http://other.corp.example/v1') },
};

describe('gw doctor finds that a proxy', () => {
  it('of the environment is not used, or is missing', async () => {
    const [unused, ...others] = await examine({}, { HTTPS_PROXY: `http://anna:${password}@proxy.example:3128` });
    expect(unused).toMatch(
      /^warning\[proxy\] .*names an outbound proxy.*the gateway file has no "proxy"\. = Add "proxy": "environment"/,
    );
    expect(others).toEqual([]);
    expect(await examine({ proxy: 'environment' })).toEqual([
      expect.stringMatching(/^warning\[proxy\] .*which names none.* = Set HTTPS_PROXY in the environment/),
    ]);
  });

  it('works, and reports nothing', async () => {
    const upstream = await started((call) => call.json({ data: [] }));
    const proxy = await startProxy({ leadsTo: upstream.port, credentials: `anna:${password}` });
    const env = { http_proxy: `http://anna:${password}@127.0.0.1:${proxy.port}` };
    expect(await examine({ ...twoHosts, proxy: 'environment' }, env)).toEqual([]);
    expect(new Set(proxy.asked)).toEqual(new Set([`${corporateHost}:80`, 'other.corp.example:80']));
  });

  it.each([
    [
      { credentials: 'anna:other' },
      `anna:${password}@`,
      /refused the gateway's user name and password \(407\)\. = Correct the user name/,
    ],
    [
      { credentials: 'anna:other' },
      '',
      /requires a user name and a password \(407\)\. = Put the user name and the password into/,
    ],
    [
      { fault: { answer: 'HTTP/1.1 403 No\r\n\r\n' } },
      '',
      /refused to connect to that host \(403\)\. = Have the proxy allow CONNECT to /,
    ],
    [{ fault: { answer: 'SSH-2.0-x\r\n' } }, '', /its answer is not HTTP\. = Check its port/],
  ])('answers with an error, once for all hosts: %j', async (options, user, expected) => {
    const proxy = await startProxy(options);
    const env = { GW_PROXY: `http://${user}127.0.0.1:${proxy.port}` };
    const found = await examine({ ...twoHosts, proxy: '${env:GW_PROXY}' }, env);
    expect(found).toEqual([
      expect.stringMatching(
        new RegExp(`^error\\[proxy\\] The proxy 127\\.0\\.0\\.1:${proxy.port} cannot reach .*${expected.source}`),
      ),
    ]);
    expect(found[0]).toMatch(/models\.corp\.example.*other\.corp\.example|other\.corp\.example.*models\.corp\.example/);
  });

  it('is unreachable, with and without providers', async () => {
    const proxy = `http://127.0.0.1:${await freePort()}`;
    expect(await examine({ ...twoHosts, proxy })).toEqual([
      expect.stringMatching(
        /^error\[proxy\] .*the connection was refused\. = Check the address and the port of the proxy/,
      ),
    ]);
    expect(await examine({ proxy })).toEqual([
      expect.stringMatching(
        /^error\[proxy\] The proxy 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\. = Check the address/,
      ),
    ]);
    expect(await examine({ ...twoHosts, proxy }, {}, ['--offline'])).toEqual([]);
  });

  it('has an invalid URL', async () => {
    expect(await examine({ proxy: 'environment' }, { https_proxy: `socks5://anna:${password}@a.example` })).toEqual([
      expect.stringMatching(/^error\[proxy\] The value of the variable https_proxy .*SOCKS.* = Correct it/),
    ]);
  });
});

describe.skipIf(!hasOpenssl)('gw doctor, with certificates,', () => {
  it('reports nothing about valid ones that everybody can read', async () => {
    const [hosts, clients] = [makeAuthority(), makeAuthority()];
    const server = await startCertified({ authority: hosts, clients: clients.file });
    const own = clients.issue();
    for (const file of [hosts.file, own.certFile, own.keyFile]) chmodSync(path.dirname(file), 0o755);
    chmodSync(own.keyFile, 0o644);
    const base = `https://localhost:${server.port}/v1`;
    const tls = { ca: `\${file:${hosts.file}}`, cert: `\${file:${own.certFile}}`, key: `\${file:${own.keyFile}}` };
    const trusting = { GW_TRUSTED_HOSTS: 'localhost' };
    const found = await examine({ providers: { corp: provider(base, tls) } }, trusting);
    // A test's certificate is valid for two days, which is not much.
    expect(found.filter((line) => !line.startsWith('warning[provider-certificates]'))).toEqual([
      expect.stringMatching(/^warning\[secrets\] Every user of this machine can read the file .*\.key\./),
    ]);
    expect(server.requests.length).toBeGreaterThan(0);
    const { cert: _cert, key: _key, ...onlyCa } = tls;
    const without = await examine({ providers: { corp: provider(base, onlyCa) } }, trusting);
    expect(without.filter((line) => line.startsWith('error'))).toEqual([
      expect.stringMatching(
        /^error\[hosts\] .*(?:the connection was closed|it asks for a certificate of the gateway)\. = .*If it asks for a certificate of the gateway, name that with its key in "tls"/,
      ),
    ]);
  });

  it('finds those that have expired or soon will', async () => {
    const authority = makeAuthority({ days: 2 });
    const own = authority.issue(expired);
    for (const file of [authority.file, own.keyFile]) chmodSync(path.dirname(file), 0o755);
    chmodSync(own.keyFile, 0o644);
    const tls = { cert: `\${file:${own.certFile}}`, key: `\${file:${own.keyFile}}` };
    const file = {
      providers: { corp: provider('https://models.corp.example/v1', tls) },
      trusted_authorities: `\${file:${authority.file}}`,
    };
    const found = await examine(file, {}, ['--offline']);
    expect(found.filter((line) => line.includes('[provider-certificates]'))).toEqual([
      expect.stringMatching(/^warning\[provider-certificates\] A certificate of .*ca\.pem\} ends on 20/),
      expect.stringMatching(
        /^error\[provider-certificates\] A certificate of .*\.pem\} ended on 2020-02-01\. = Have it renewed/,
      ),
    ]);
  });
});
