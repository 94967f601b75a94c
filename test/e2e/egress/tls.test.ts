import { appendFileSync, copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runDoctor } from '../../support/commands/run-doctor.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import {
  encryptKey,
  hasOpenssl,
  type IssuedCertificate,
  makeAuthority,
  makeWeak,
  type TestAuthority,
} from '../../support/servers/certificates.ts';
import { type CertifiedServer, startCertified } from '../../support/servers/tls-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { ask, serve } from './support/egress-world.ts';

const answer = openaiAnswer({ text: 'Hello!' });

const file = (name: string): string => `\${file:${name}}`;

/** A file with a private key that is protected by a passphrase. */
const encrypted = (keyFile: string): string =>
  path.join(temporaryFolder({ 'own.key': encryptKey(keyFile, 'opens it') }), 'own.key');

/** The files that a provider names. */
type Named = World['own'] & { readonly hostsFile: string };

interface World {
  readonly hosts: TestAuthority;
  readonly clients: TestAuthority;
  readonly own: Pick<IssuedCertificate, 'certFile' | 'keyFile'>;
  readonly server: CertifiedServer;
}

/** A host that requires a certificate, and a certificate for the gateway. They end with the test by default. */
const createWorld = async (whenFinished: (end: () => void) => void = onTestFinished): Promise<World> => {
  const [hosts, clients] = [makeAuthority({ whenFinished }), makeAuthority({ whenFinished })];
  const checked = { authority: hosts, clients: clients.file, closes: true };
  const server = await startCertified({ ...checked, answer, whenFinished });
  return { hosts, clients, own: clients.issue({ name: 'gateway' }), server };
};

/** `plain` is the same host without the settings. The only credential of `bare` is the certificate. */
const gatewayFile = ({ hosts, own, server }: World): object => {
  const settings = { custom_host: `https://localhost:${server.port}/v1` };
  const tls = { ca: file(hosts.file), cert: file(own.certFile), key: file(own.keyFile) };
  const saved = { provider: 'openai', credential: { api_key: '${env:PROVIDER_KEY}' }, settings };
  return {
    providers: { corp: { ...saved, tls }, plain: saved, bare: { provider: 'openai', settings, tls } },
    virtual_keys: { key: { ...saved, tls } },
    auth: { keys: [{ id: 'one', key: '${env:ONE}' }] },
    trusted_hosts: ['localhost'],
  };
};

const env = { PROVIDER_KEY: 'sk-provider', ONE: 'key-of-one', GW_TRUSTED_HOSTS: 'localhost' };
/** For `gw check`, which reads the gateway file next to it. */
const aConfig = { 'configs/main.json': { provider: 'echo' } };

const one = { 'x-gw-api-key': 'key-of-one' };

const by = (config: object): Readonly<Record<string, string>> => ({ ...one, 'x-gw-config': JSON.stringify(config) });

describe.skipIf(!hasOpenssl)('a saved provider with TLS settings', () => {
  const endings: (() => void)[] = [];
  let world: World;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    world = await createWorld((end) => void endings.push(end));
    gateway = await startGateway({ files: { 'gateway.json': gatewayFile(world) }, env });
  });
  afterAll(async () => {
    await gateway.stop();
    for (const end of endings) end();
  });

  it('is called with its certificate, whichever way it is named, and no other target uses the certificate', async () => {
    for (const config of [{ provider: '@corp' }, { virtual_key: 'key' }, { provider: '@bare' }])
      expect([config, (await ask(gateway, by(config))).text]).toEqual([config, expect.stringContaining('Hello!')]);
    expect(await ask(gateway, { ...one, 'x-gw-provider': '@corp' })).toMatchObject({ status: 200 });
    expect(world.server.requests.map(({ client }) => client)).toEqual(Array(4).fill('gateway'));
    const host = `https://localhost:${world.server.port}/v1`;
    const others = [
      by({ provider: '@plain' }),
      by({ provider: 'openai', api_key: 'sk-own', custom_host: host }),
      { ...one, 'x-gw-provider': 'openai', authorization: 'Bearer sk-own', 'x-gw-custom-host': host },
    ];
    for (const headers of others) expect((await ask(gateway, headers)).text).toContain('"code":"connection-failed"');
    expect(world.server.requests).toHaveLength(4);
  });

  it('is not called at another host, even if the certificate is its only credential', async () => {
    const before = world.server.requests.length;
    const elsewhere = await startCertified({ authority: world.hosts, clients: world.clients.file, answer });
    const host = `https://localhost:${elsewhere.port}/v1`;
    for (const slug of ['@corp', '@bare']) {
      const refusals = [
        { ...one, 'x-gw-provider': slug, 'x-gw-custom-host': host },
        { ...by({ provider: slug }), 'x-gw-custom-host': host },
        { ...by({ provider: slug }), 'x-gw-forward-headers': 'x-own' },
        by({ provider: slug, custom_host: host }),
        by({ strategy: { mode: 'fallback' }, custom_host: host, targets: [{ provider: slug }] }),
      ];
      for (const headers of refusals)
        expect([headers, (await ask(gateway, headers)).text]).toEqual([
          headers,
          expect.stringContaining('credential-origin-mismatch'),
        ]);
    }
    expect([...world.server.requests.slice(before), ...elsewhere.requests]).toEqual([]);
  });

  it('is called with the current contents of the files', async () => {
    const client = async (): Promise<string | undefined> => {
      await ask(gateway, by({ provider: '@corp' }));
      return world.server.requests.at(-1)?.client;
    };
    expect(await client()).toBe('gateway');
    const renewed = world.clients.issue({ name: 'renewed' });
    copyFileSync(renewed.certFile, world.own.certFile);
    copyFileSync(renewed.keyFile, world.own.keyFile);
    await expect.poll(client, patience).toBe('renewed');
  });

  it('is called with the previous authorities while their file is incomplete', async () => {
    writeFileSync(world.hosts.file, makeAuthority().pem + world.hosts.pem.slice(0, 300));
    const answers = new Set<number>();
    const printed = async (): Promise<string> => {
      answers.add((await ask(gateway, by({ provider: '@corp' }))).status);
      return gateway.printed();
    };
    await expect
      .poll(printed, patience)
      .toMatch(
        /The new TLS settings for localhost:\d+ cannot be used, so the previous ones stay in use\. The certificates of "ca" cannot be read, or are incomplete\./,
      );
    expect([...answers]).toEqual([200]);
    writeFileSync(world.hosts.file, world.hosts.pem);
  });

  it('is refused with an unusable key or certificate, at the start, by gw check and by gw doctor', async () => {
    const { hosts, clients, own, server } = await createWorld();
    const [half, weak] = [clients.issue(), makeWeak()];
    appendFileSync(half.certFile, hosts.pem.slice(0, 300));
    const broken: Readonly<Record<string, readonly [Partial<Named>, RegExp]>> = {
      half: [half, /The value of "cert" .* is not a PEM certificate, or is incomplete\./],
      weak: [weak, /The certificate of "cert" .* is too weak for TLS: its key is too short\./],
      another: [{ keyFile: clients.issue().keyFile }, /The private key in "key" .* does not belong to/],
      'weak-authority': [
        { hostsFile: weak.certFile },
        /The authority in "ca" .* is too weak for TLS: its key is too short\./,
      ],
      keyless: [{ keyFile: own.certFile }, /"key" .* is not a PEM private key\./],
      locked: [{ keyFile: encrypted(own.keyFile) }, /The value of "key" .* needs a passphrase\./],
      uncertified: [{ certFile: own.keyFile }, /"cert" .* is not a PEM certificate/],
    };
    const toProvider = ([files]: readonly [Partial<Named>, RegExp]): object => {
      const used = { ...own, hostsFile: hosts.file, ...files };
      const tls = { ca: file(used.hostsFile), cert: file(used.certFile), key: file(used.keyFile) };
      const settings = { custom_host: `https://localhost:${server.port}/v1` };
      return { provider: 'openai', credential: { api_key: '${env:PROVIDER_KEY}' }, settings, tls };
    };
    const providers = Object.fromEntries(Object.entries(broken).map(([name, each]) => [name, toProvider(each)]));
    const files = { 'gateway.json': { providers, trusted_hosts: ['localhost'] } };
    const failed = await serve({ files, env }).catch(String);
    const folder = temporaryFolder({ ...files, ...aConfig });
    const checked = await runGw(folder, ['check', 'configs']);
    expect(checked.code).toBe(1);
    const doctor = await runDoctor(folder, { env, asIs: true });
    const found = doctor.problems.map(({ check, what }) => `${check}: ${what}`).join('\n');
    for (const [name, [, expected]] of Object.entries(broken)) {
      const placed = new RegExp(`${expected.source}.*\\n.*gateway\\.json:\\d+:\\d+.*/providers/${name}/tls/`);
      expect(failed).toMatch(placed);
      expect(checked.out + checked.err).toMatch(placed);
      expect(found).toMatch(expected);
    }
  });

  it('is refused at the start if a file is missing, but not by gw check', async () => {
    const files = { 'gateway.json': gatewayFile({ ...world, hosts: { ...world.hosts, file: '/nowhere/ca.pem' } }) };
    expect(await serve({ files, env }).catch(String)).toMatch(
      /"providers\.corp\.tls" in the gateway file: "ca" refers to \$\{file:\/nowhere\/ca\.pem\}, which is not set or cannot be read\./,
    );
    expect((await runGw(temporaryFolder({ ...files, ...aConfig }), ['check', 'configs'])).code).toBe(0);
    const doctor = await runDoctor(temporaryFolder({ ...files, ...aConfig }), { env, asIs: true });
    expect(doctor.problems.map(({ what }) => what).join('\n')).toContain('There is no file /nowhere/ca.pem.');
  });

  it.each([
    [{ cert: '${env:A}' }, /unpaired-certificate.*"cert" is set without "key"/s],
    [{ key: '${env:A}' }, /unpaired-certificate.*"key" is set without "cert"/s],
    [{ key: '-----BEGIN PRIVATE KEY-----', cert: '${env:A}' }, /"key"/],
    [{ passphrase: '${env:A}' }, /unpaired-certificate.*"passphrase" is set without "key"/s],
    [{ cert: '${env:A}', key: '${env:A}', passphrase: 'written out' }, /"passphrase"/],
    [{ verify: false }, /unknown-key.*"verify"/s],
    [{}, /tls/],
  ])('is rejected with %j', async (tls, expected) => {
    const folder = temporaryFolder({
      'gateway.json': { providers: { corp: { provider: 'openai', tls } } },
      ...aConfig,
    });
    const run = await runGw(folder, ['check', 'configs']);
    expect([run.code, run.out + run.err]).toEqual([1, expect.stringMatching(expected)]);
  });

  it('is rejected with a host that is called without TLS', async () => {
    const settings = { custom_host: 'http://models.example/v1' };
    const saved = { provider: 'openai', settings, tls: { server_name: 'a.example' } };
    const run = await runGw(temporaryFolder({ 'gateway.json': { providers: { corp: saved } }, ...aConfig }), [
      'check',
      'gateway.json',
    ]);
    expect([run.code, run.out + run.err]).toEqual([1, expect.stringContaining('tls-without-https')]);
  });
});

describe.skipIf(!hasOpenssl)('authorities of the gateway file', () => {
  it('are trusted at all hosts, in addition to those of the environment', async () => {
    const [first, second] = [makeAuthority(), makeAuthority()];
    const [one, other, third] = await Promise.all([
      startCertified({ authority: first, answer }),
      startCertified({ authority: second, answer }),
      startCertified({ answer }),
    ]);
    const gateway: GatewayProcess = await serve({
      files: { 'gateway.json': { trusted_authorities: file(first.file) } },
      env: { NODE_EXTRA_CA_CERTS: second.file },
    });
    const send = async ({ port }: CertifiedServer): Promise<number> =>
      (await ask(gateway, by({ provider: 'openai', api_key: 'k', custom_host: `https://localhost:${port}/v1` })))
        .status;
    expect([await send(one), await send(other), await send(third)]).toEqual([200, 200, 502]);
  });
});
