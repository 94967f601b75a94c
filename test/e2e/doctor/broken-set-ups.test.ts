import { once } from 'node:events';
import { chmodSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DoctorOptions, type DoctorRun, findingLines, sharedDoctor } from '../../support/commands/run-doctor.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import {
  encryptKey,
  expired,
  hasOpenssl,
  type IssuedCertificate,
  makeAuthority,
  type TestAuthority,
} from '../../support/servers/certificates.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { startPlainServer } from '../../support/servers/plain-server.ts';
import { startCertified } from '../../support/servers/tls-server.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';

type Files = Readonly<Record<string, string | object>>;

interface SetUp extends DoctorOptions {
  readonly files?: Files;
  readonly folder?: string;
}

const runDoctor = sharedDoctor();

const secret = 'sk-this-must-not-be-printed-0123456789';

/** Runs it with a gateway file that listens on a free port, and checks that no secret is printed. */
const examine = async ({
  files = {},
  folder = temporaryFolder(files),
  env = {},
  ...rest
}: SetUp): Promise<DoctorRun> => {
  const run = await runDoctor(folder, {
    ...rest,
    env: { PORT: String(await freePort()), SECRET: secret, ...env },
  });
  expect(run.printed).not.toContain(secret);
  return run;
};

const upstream = async (handler: UpstreamHandler): Promise<TestUpstream> => {
  const started = await startUpstream(handler);
  onTestFinished(() => started.close());
  return started;
};

const answering = (headers: Readonly<Record<string, string>> = {}): Promise<TestUpstream> =>
  upstream((call) => call.json({ data: [] }, { headers }));

const provider = (origin: string, ref = '${env:SECRET}') => ({
  provider: 'openai',
  credential: { api_key: ref },
  settings: { custom_host: `${origin}/v1` },
});

/** A gateway file that names a certificate and its key, together with both files. */
const toTls = ({ cert, key }: Pick<IssuedCertificate, 'cert' | 'key'>): Files => ({
  ...{ 'tls.crt': cert, 'tls.key': key },
  'gateway.json': { listen: { tls: { cert: 'tls.crt', key: 'tls.key' } } },
});

const withProvider = (origin: string): Files => ({ 'gateway.json': { providers: { main: provider(origin) } } });

/** The first port on which every user may listen. Some containers allow all ports. */
const firstFreePort = (): number => {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    return 0;
  }
};

const expectOnly = (run: DoctorRun, severity: 'error' | 'warning', expected: RegExp): void => {
  expect(findingLines(run)).toEqual([expect.stringMatching(expected)]);
  expect(run.problems.map((each) => each.severity)).toEqual([severity]);
  expect(run.code).toBe(severity === 'error' ? 1 : 0);
};

describe('gw doctor finds in files', () => {
  it('a misspelt member of the gateway file, without checks that depend on it', async () => {
    const run = await examine({ files: { 'gateway.json': { provders: {} } } });
    expectOnly(run, 'error', /^error\[gateway-file\] gateway\.json:2:3: .*provders.* = Did you mean "providers"\?/);
  });

  it('a plugin for another API version', async () => {
    const run = await examine({
      files: {
        'gateway.json': { plugins: [{ package: './old' }] },
        'old/package.json': { name: 'old', type: 'module', main: 'old.js', gatewright: { sdk: '^0.1.0' } },
        'old/old.js': "export default { name: 'old', api: 1 };",
      },
    });
    expectOnly(run, 'error', /^error\[gateway-file\] gateway\.json:\d+:\d+: .*\^0\.1\.0.* = .+/);
  });

  it('a config that does not compile', async () => {
    const run = await examine({
      files: { 'gateway.json': { configs: 'configs' }, 'configs/prod.json': { provider: 'ecko' } },
    });
    expectOnly(run, 'error', /^error\[configs\] configs\/prod\.json:2:\d+: There is no provider "ecko"\. = .*"echo"/);
  });

  it('a missing folder of configs', async () => {
    const run = await examine({ files: { 'gateway.json': { configs: 'configs' } } });
    expectOnly(
      run,
      'error',
      /^error\[configs\] configs: There is no folder .*configs\. = Create it, or correct "configs"/,
    );
  });

  it('a default config that does not exist', async () => {
    const files = {
      'gateway.json': { configs: 'configs', default_config: 'prod' },
      'configs/a.json': { provider: 'echo' },
    };
    expectOnly(await examine({ files }), 'error', /^error\[configs\] gateway\.json:\d+:\d+: .*"prod".* = .+/);
  });

  it.each([
    ['not set', {}, /The variable KEY is not set\. .*\(\/auth\/keys\/0\/key\)\. = Set KEY in the environment/],
    ['empty', { KEY: '' }, /The variable KEY is empty\. .* = Set KEY in the environment/],
  ])('a variable that is %s', async (_, env, expected) => {
    const files = { 'gateway.json': { auth: { keys: [{ id: 'a', key: '${env:KEY}' }] } } };
    expectOnly(await examine({ files, env }), 'error', new RegExp(`^error\\[secrets\\] .*${expected.source}`));
  });

  it('a variable that still has the value of an example', async () => {
    const files = { 'gateway.json': { auth: { keys: [{ id: 'a', key: '${env:KEY}' }] } } };
    expectOnly(
      await examine({ files, env: { KEY: 'replace-me' } }),
      'warning',
      /^warning\[secrets\] .*The variable KEY still has the value "replace-me" of an example\. .*\(\/auth\/keys\/0\/key\)\. = Give the variable KEY /,
    );
  });

  it.each(['sk-1\n', 'sk-\r1', 'sk-1\nsk-2', 'sk-…'])(
    'a credential that cannot be sent in a header: %j',
    async (key) => {
      const files = {
        'gateway.json': { providers: { own: { provider: 'openai', credential: { api_key: '${env:KEY}' } } } },
      };
      expectOnly(
        await examine({ files, env: { KEY: key }, args: ['--offline'] }),
        'error',
        /^error\[secrets\] \S+: Its value cannot be sent in a header: .* = Copy the credential into the variable KEY again\.$/,
      );
    },
  );

  it('files of secrets that are missing, empty, unreadable, or readable by everybody', async () => {
    const folder = temporaryFolder({ missing: '', empty: '', closed: 'k2', open: 'k3' });
    const key = (id: string) => ({ id, key: `\${file:${path.join(folder, id)}}` });
    const names = ['gone', 'empty', 'closed', 'open'];
    writeFileSync(path.join(folder, 'gateway.json'), JSON.stringify({ auth: { keys: names.map(key) } }));
    chmodSync(path.join(folder, 'empty'), 0o600);
    chmodSync(path.join(folder, 'closed'), 0o000);
    chmodSync(path.join(folder, 'open'), 0o644);
    const run = await examine({ folder });
    expect(findingLines(run)).toEqual([
      expect.stringMatching(/^error\[secrets\] .*There is no file .*gone\. .* = Mount or write the secret at /),
      expect.stringMatching(/^error\[secrets\] .*The file .*empty is empty\. .* = Write the secret to /),
      expect.stringMatching(/^error\[secrets\] .*closed cannot be read \(EACCES\)\. .* = Give the user of the gateway/),
      expect.stringMatching(/^warning\[secrets\] .*Every user of this machine can read .*open\. = Run: chmod o-r /),
    ]);
  });

  it('a service key that no client can send', async () => {
    const auth = { keys: [{ id: 'a', key: '${env:SECRET}' }] };
    const run = await examine({ files: { 'gateway.json': { auth } }, env: { SECRET: 'one\ntwo' } });
    expectOnly(
      run,
      'error',
      /^error\[callers\] "auth\.keys": The service key "a" .* cannot be sent in a header: .* = Copy the key again\.$/,
    );
  });

  it('two service keys with the same value', async () => {
    const keys = ['a', 'b'].map((id) => ({ id, key: '${env:SECRET}' }));
    const run = await examine({ files: { 'gateway.json': { auth: { keys } } } });
    expectOnly(
      run,
      'error',
      /^error\[callers\] "auth\.keys": .*"a" and "b" have the same value.* = Give each its own value/,
    );
  });
});

describe('gw doctor finds at providers', () => {
  const keyed =
    (good: string): UpstreamHandler =>
    (call) =>
      call.request.header('authorization') === `Bearer ${good}` || call.request.path === '/v1'
        ? call.json({ data: [] })
        : call.json({ error: { message: 'Incorrect API key.' } }, { status: 401 });

  const trusting = { GW_TRUSTED_HOSTS: '127.0.0.1,localhost' };

  it('a wrong key, which is sent only to the host of its provider', async () => {
    const [wrong, right] = [await upstream(keyed('another-key')), await upstream(keyed(secret))];
    const files = { 'gateway.json': { providers: { wrong: provider(wrong.origin), right: provider(right.origin) } } };
    const run = await examine({ files, env: trusting });
    expectOnly(
      run,
      'error',
      /^error\[provider-keys\] @wrong: 127\.0\.0\.1:\d+ refuses its credential \(401\)\. = Create a new key/,
    );
    expect(right.requests.map(({ path: asked }) => asked)).toEqual(['/v1', '/v1/models']);
    expect(right.requests[0]?.header('authorization')).toBeUndefined();
  });

  it('one wrong key among several', async () => {
    const { origin } = await upstream(keyed(secret));
    const { credential: _, ...rest } = provider(origin);
    const keys = [{ api_key: '${env:SECRET}' }, { api_key: '${env:REVOKED}' }];
    const files = { 'gateway.json': { providers: { main: { ...rest, keys } } } };
    const run = await examine({ files, env: { ...trusting, REVOKED: 'revoked' } });
    expectOnly(run, 'error', /^error\[provider-keys\] @main, key 2 of 2: .* refuses its credential/);
  });

  it('nothing with --offline, which sends no request', async () => {
    const { origin, requests } = await upstream(keyed('another-key'));
    const run = await examine({ files: withProvider(origin), env: trusting, args: ['--offline'] });
    expect([findingLines(run), run.code, requests]).toEqual([[], 0, []]);
  });

  it('a host that resolves to a private address', async () => {
    const { port } = await answering();
    const run = await examine({ files: withProvider(`http://localhost:${port}`), env: { GW_TRUSTED_HOSTS: '' } });
    expectOnly(
      run,
      'error',
      /^error\[hosts\] localhost:\d+ \(@main\): .*resolves to (?:127\.0\.0\.1|::1), which is not a public address.* = .*"trusted_hosts".*localhost:\d+$/,
    );
  });

  it('a refused connection', async () => {
    const files = withProvider(`http://127.0.0.1:${await freePort()}`);
    expectOnly(
      await examine({ files, env: trusting }),
      'error',
      /^error\[hosts\] .*the connection was refused\. = Start the service, or correct the address/,
    );
  });

  it('a name that does not resolve', async () => {
    const run = await examine({ files: withProvider('https://no-such-host.example.invalid') });
    expectOnly(
      run,
      'error',
      /^error\[hosts\] .*(?:its name does not resolve|the name server did not answer)\. = (?:Correct the name|Check the name servers)/,
    );
  });

  it.skipIf(!hasOpenssl).each([
    ['expired', expired, true, /its certificate has expired\. = Have its certificate renewed/],
    [
      'for another name',
      { name: 'elsewhere.example' },
      true,
      /its certificate is for another name\. = Use the name that its certificate is for/,
    ],
    [
      'issued by an unknown authority',
      {},
      false,
      /its certificate (?:cannot be verified|was issued by an authority that is not trusted)\. = .*"trusted_authorities" of the gateway file/,
    ],
  ])('a certificate that is %s', async (_, certificate, isKnown, expected) => {
    const { port, authority } = await startCertified(certificate);
    chmodSync(path.dirname(authority), 0o755);
    const env = { ...trusting, ...(isKnown ? { NODE_EXTRA_CA_CERTS: authority } : {}) };
    const run = await examine({ files: withProvider(`https://localhost:${port}`), env });
    expectOnly(run, 'error', new RegExp(`^error\\[hosts\\] .*${expected.source}`));
  });

  it('plain HTTP if HTTPS is required', async () => {
    const { port, close } = await startPlainServer();
    onTestFinished(close);
    const run = await examine({ files: withProvider(`https://localhost:${port}`), env: trusting });
    expectOnly(run, 'error', /^error\[hosts\] .* = .*https:\/\/ where the service speaks http:\/\//);
  });

  it('a redirect to another host', async () => {
    const { origin } = await upstream((call) =>
      call.answer({ status: 308, headers: { location: 'https://api.example.com/v1' } }),
    );
    const run = await examine({ files: withProvider(origin), env: trusting });
    expectOnly(
      run,
      'warning',
      /^warning\[hosts\] .*redirect to https:\/\/api\.example\.com \(308\).* = .*"custom_host": https:\/\/api\.example\.com$/,
    );
  });

  it('a clock that is wrong', async () => {
    const { origin } = await answering({ date: new Date(Date.now() - 3_600_000).toUTCString() });
    const run = await examine({ files: withProvider(origin), env: trusting });
    expectOnly(
      run,
      'warning',
      /^warning\[clock\] clock: The clock of this machine is 60 minutes ahead of that of 127\.0\.0\.1:\d+.* = Set the clock/,
    );
  });

  it('a proxy in the environment that is not used', async () => {
    const { origin } = await answering();
    const run = await examine({
      files: withProvider(origin),
      env: { ...trusting, HTTPS_PROXY: `http://user:${secret}@proxy.example:3128` },
    });
    expectOnly(
      run,
      'warning',
      /^warning\[proxy\] HTTPS_PROXY: .*names an outbound proxy.* = .*unset HTTPS_PROXY for the gateway/,
    );
  });

  it('a receiver of telemetry that is unavailable', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const run = await examine({ files: { 'gateway.json': { telemetry: { otlp: { url } } } } });
    expectOnly(
      run,
      'warning',
      /^warning\[telemetry\] "telemetry\.otlp\.url": .*cannot be reached \(ECONNREFUSED\).* = Start the receiver/,
    );
  });

  it('a receiver of telemetry whose address has the path of traces', async () => {
    const url = 'http://localhost:4318/v1/traces';
    const run = await examine({ files: { 'gateway.json': { telemetry: { otlp: { url } } } } });
    expectOnly(run, 'error', /^error\[telemetry\] .* ends in \/v1\/traces, .* = Remove \/v1\/traces from its end/);
  });
});

describe("gw doctor finds at the gateway's addresses", () => {
  it.each([
    ['in use', (socket: Socket) => socket.end('?'), /Port \d+ of 127\.0\.0\.1 is already in use\. = Stop the program/],
    [
      'in use by a server that does not answer',
      () => undefined,
      /A server there does not answer GET \/livez within 8000 ms: a gateway that is busy or stopped, .* = If it is this/,
    ],
  ])('a port that is %s', async (_, answer, expected) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      answer(socket);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    const address = server.address();
    const port = String(typeof address === 'object' ? address?.port : 0);
    const run = await examine({ args: ['--port', port] });
    expectOnly(run, 'error', new RegExp(`^error\\[listen-address\\] 127\\.0\\.0\\.1:\\d+: ${expected.source}`));
  });

  it('metrics on the port of the gateway', async () => {
    const run = await examine({
      args: ['--port', '8799'],
      files: { 'gateway.json': { metrics: { port: 8799 } } },
    });
    expectOnly(
      run,
      'error',
      /^error\[listen-address\] metrics\.port: "metrics\.port" in the gateway file is 8799.* = Choose another/,
    );
  });

  it.skipIf(firstFreePort() < 82)('a port that this user may not use', async () => {
    const run = await examine({ args: ['--port', '81'] });
    expectOnly(run, 'error', /^error\[listen-address\] .*may not listen on port 81\. = Choose a port above 1023/);
  });

  it('an address that this machine does not have', async () => {
    const run = await examine({ args: ['--host', '203.0.113.1', '--open'] });
    expectOnly(
      run,
      'error',
      /^error\[listen-address\] .*does not have the address 203\.0\.113\.1\. = Choose one that it has/,
    );
  });

  it.skipIf(!hasOpenssl).each<[string, (own: TestAuthority) => Files, 'error' | 'warning', RegExp]>([
    [
      'has expired',
      (own) => toTls(own.issue(expired)),
      'error',
      /^error\[certificate\] listen\.tls: The certificate in \S+tls\.crt expired on .* = Clients refuse it: replace it\.$/,
    ],
    [
      'is not valid yet',
      (own) => toTls(own.issue({ times: ['20990101000000Z', '20990201000000Z'] })),
      'error',
      /^error\[certificate\] listen\.tls: .* is not valid before Jan {2}1 .* = Clients refuse it: replace it, or correct the clock/,
    ],
    [
      'expires soon',
      (own) => toTls(own.issue({ days: 5 })),
      'warning',
      /^warning\[certificate\] listen\.tls: The certificate in \S+tls\.crt expires on .* = Renew it, and see why/,
    ],
    [
      'does not match its private key',
      (own) => toTls({ ...own.issue(), key: own.issue().key }),
      'error',
      /^error\[certificate\] listen\.tls: The private key in \S+tls\.key does not belong to .* = Replace one of them\.$/,
    ],
    [
      'needs a passphrase that is not set',
      (own) => {
        const issued = own.issue();
        return toTls({ ...issued, key: encryptKey(issued.keyFile, 'opens it') });
      },
      'error',
      /^error\[certificate\] listen\.tls: The private key in \S+tls\.key needs a passphrase\. = Refer to it in "listen\.tls\.passphrase", or use a key/,
    ],
    [
      'comes with an expired authority for clients',
      (own) => ({
        ...toTls(own.issue()),
        'clients.crt': own.issue(expired).cert,
        'gateway.json': { listen: { tls: { cert: 'tls.crt', key: 'tls.key', client_ca: 'clients.crt' } } },
      }),
      'warning',
      /^warning\[certificate\] listen\.tls: The authority CN=localhost in \S+clients\.crt, .* expired on .* are refused\. = Replace it, or remove it\.$/,
    ],
    [
      'is an additional one, and has expired',
      (own) => {
        const issued = own.issue(expired);
        const certificates = [{ cert: 'other.crt', key: 'other.key' }];
        return {
          ...toTls(own.issue()),
          ...{ 'other.crt': issued.cert, 'other.key': issued.key },
          'gateway.json': { listen: { tls: { cert: 'tls.crt', key: 'tls.key', certificates } } },
        };
      },
      'error',
      /^error\[certificate\] listen\.tls: The certificate in \S+other\.crt expired on /,
    ],
    [
      'does not exist',
      () => ({ 'gateway.json': { listen: { tls: { cert: 'tls.crt', key: 'tls.key' } } } }),
      'error',
      /^error\[certificate\] listen\.tls: The file \S+tls\.crt, .* cannot be read\. It does not exist\. = Restore it\.$/,
    ],
  ])('a certificate of the listener that %s', async (_, toFiles, severity, expected) => {
    expectOnly(await examine({ files: toFiles(makeAuthority()) }), severity, expected);
  });

  it('an address that other machines reach, without service keys', async () => {
    const run = await examine({ args: ['--host', '0.0.0.0'] });
    expectOnly(run, 'error', /^error\[callers\] 0\.0\.0\.0: Without service keys, .* = List keys under auth\.keys/);
  });
});

describe('gw doctor finds in the system', () => {
  it('too few open files', async () => {
    const through = ['sh', '-c', 'ulimit -n 200; exec "$@"', 'sh'] as const;
    const run = await examine({ through: [through[0], ...through.slice(1)] });
    expectOnly(
      run,
      'error',
      /^error\[process-limits\] open files: This process may have 200 open files.* = .*LimitNOFILE=65536/,
    );
  });

  it('a limit on processes below the number that it may start', async () => {
    const through = ['prlimit', '--nproc=200'] as const;
    const run = await examine({ through: [through[0], ...through.slice(1)] });
    expectOnly(
      run,
      'warning',
      /^warning\[process-limits\] processes: This user may have 200 processes.* = .*LimitNPROC=/,
    );
  });

  it('less memory than bodies may use', async () => {
    const run = await examine({ files: { 'gateway.json': { limits: { bodies_bytes: 2 ** 50 } } } });
    expectOnly(run, 'warning', /^warning\[memory\] memory: .*limits\.bodies_bytes.* = .*lower "limits\.bodies_bytes"/);
  });

  it('less disk space than forms may use', async () => {
    const files = { 'gateway.json': { spool_dir: 'spool', limits: { forms_bytes: 2 ** 52 } }, 'spool/.keep': '' };
    expectOnly(
      await examine({ files }),
      'warning',
      /^warning\[disk-space\] .*spool has \d+ MB left.* = Make room, or lower "limits\.forms_bytes"/,
    );
  });

  it('a missing folder for forms', async () => {
    const run = await examine({ files: { 'gateway.json': { spool_dir: 'spool' } } });
    expectOnly(
      run,
      'error',
      /^error\[folders\] "spool_dir": There is no folder .*spool\. = Create it, or correct "spool_dir"/,
    );
  });

  it('a folder for temporary files that is not writable', async () => {
    const closed = temporaryFolder();
    chmodSync(closed, 0o555);
    expectOnly(
      await examine({ env: { TMPDIR: closed } }),
      'warning',
      /^warning\[folders\] .*cannot be written \(EACCES\).* = .*TMPDIR/,
    );
  });

  it('workers that cannot serve what the gateway file contains', async () => {
    expectOnly(
      await examine({
        files: {
          'gateway.json': { workers: 2, plugins: [{ package: './begins.mjs' }] },
          'begins.mjs': "export default { name: 'begins', api: 1, start() {} };",
        },
      }),
      'error',
      /^error\[workers\] "workers": This gateway cannot be served by 2 workers\. The plugin "begins" .* = Remove it, or serve with one worker\./,
    );
  });

  it('a time zone that Node does not know', async () => {
    expectOnly(
      await examine({ env: { TZ: 'Mars/Olympus' } }),
      'warning',
      /^warning\[time-zone\] TZ: .*"Mars\/Olympus".* = Set TZ to a name/,
    );
  });

  it.skipIf(process.getuid?.() !== 0)('the user root', async () => {
    expectOnly(
      await examine({ asIs: true }),
      'warning',
      /^warning\[user\] user: The gateway runs as root.* = Run it as a user of its own/,
    );
  });

  it('a log that is near its size limit', async () => {
    const folder = temporaryFolder({ 'gateway.json': { store: { url: 'gateway.db' }, log: { keep_mb: 8 } } });
    const database = new DatabaseSync(path.join(folder, 'gateway-log.db'));
    database.exec('create table some (of text)');
    database.close();
    truncateSync(path.join(folder, 'gateway-log.db'), 8_000_000);
    expectOnly(
      await examine({ folder }),
      'warning',
      /^warning\[log-size\] .*gateway-log\.db: The log has 8 MB, of the 8 .* = Raise "log\.keep_mb"/,
    );
  });
});
