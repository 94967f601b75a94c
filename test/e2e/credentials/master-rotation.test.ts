import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment } from '../../support/commands/clean-environment.ts';
import { runCommand } from '../../support/commands/run-command.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { steadyLoad } from '../../support/gateways/steady-load.ts';
import {
  adminKey,
  callControl,
  chat,
  chatUpstream,
  control,
  makeKey,
  saveChat,
  serveStore,
} from '../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import type { TestUpstream } from '../../support/servers/upstream-server.ts';

const programs = postgresFolder();
const second = 1000;
/** The pause between two new tenants, because the commands that rotate need the processor too. */
const pauseMs = 50;
const newMaster = (): string => randomBytes(32).toString('base64');

/** The environment of a third party, except that code which an earlier process compiled is reused. */
const environment = (): NodeJS.ProcessEnv => ({
  ...cleanEnvironment(),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
});

const rotate = async (store: string, { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv }) => {
  const command = [process.execPath, installedGw, 'keys', 'rotate-master', '--store', store] as const;
  const { status, stdout, stderr } = await runCommand(command, { cwd: folder, env: { ...environment(), ...env } });
  if (status !== 0) throw new Error(`gw keys rotate-master: ${stderr}`);
  return stdout;
};

/**
 * Runs the command and kills it while it creates the new key or wraps with it. Returns whether it was killed before it ended.
 */
const killedRotation = async (store: string, folder: string): Promise<boolean> => {
  const child = spawn(process.execPath, [installedGw, 'keys', 'rotate-master', '--store', store], {
    cwd: folder,
    env: environment(),
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const files = watch(folder, (_, file) => {
    if (file?.startsWith('gateway.db.key.') === true)
      void setTimeout(Math.random() * 25).then(() => child.kill('SIGKILL'));
  });
  const [, signal] = await exited;
  files.close();
  return signal === 'SIGKILL';
};

interface NewTenants {
  /** Every response with a status other than 200, and every credential at an upstream that was not the saved one. */
  readonly failures: readonly string[];
  /** The keys that were created, with the credentials that their providers send. */
  readonly made: readonly { readonly key: string; readonly credential: string }[];
  end(): Promise<void>;
}

const chatWithin = async (
  gateway: GatewayProcess,
  upstream: TestUpstream,
  { key, credential }: { readonly key: string; readonly credential: string },
): Promise<string | undefined> => {
  const config = JSON.stringify({ provider: '@own', override_params: { model: credential } });
  const answer = await chat(gateway, { key, config });
  const text = await answer.text();
  if (answer.status !== 200) return `chat: ${answer.status} ${text}`;
  const sent = upstream.requests.findLast(({ body }) => JSON.parse(body.toString()).model === credential);
  return sent?.header('authorization') === `Bearer ${credential}` ? undefined : `chat without ${credential}`;
};

/** Creates workspaces until stopped, each with a key and a provider whose credential is the first secret of the workspace. */
const makeTenants = (gateway: GatewayProcess, upstream: TestUpstream): NewTenants => {
  const failures: string[] = [];
  const made: { readonly key: string; readonly credential: string }[] = [];
  let isOn = true;
  const makeOne = async (number: number): Promise<void> => {
    const slug = `tenant-${gateway.pid}-${number}`;
    const credential = `sk-${slug}`;
    await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
    const settings = { custom_host: `${upstream.origin}/v1` };
    await control(gateway, 'POST /providers', {
      body: { name: 'own', slug: 'own', provider: 'openai', credential: { api_key: credential }, settings },
      workspace: slug,
    });
    const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
      body: { name: slug, scopes: ['completions.write'], workspace_id: slug },
    });
    let failure = await chatWithin(gateway, upstream, { key, credential });
    // If its store takes longer than half a second, a gateway serves what it knew. A credential that does not open has another
    // code.
    for (let time = 0; time < 20 && failure?.includes('unknown-saved-provider') === true; time += 1) {
      await setTimeout(pauseMs);
      failure = await chatWithin(gateway, upstream, { key, credential });
    }
    if (failure !== undefined) throw new Error(failure);
    made.push({ key, credential });
  };
  const running = (async () => {
    for (let number = 1; isOn; number += 1) {
      await makeOne(number).catch(({ message }) => failures.push(message));
      await setTimeout(pauseMs);
    }
  })();
  return {
    failures,
    made,
    async end() {
      isOn = false;
      await running;
    },
  };
};

/** Sends known requests and requests of new tenants to some gateways while `during` runs. Returns what failed. */
const loaded = async (
  gateways: readonly GatewayProcess[],
  { upstream, during }: { readonly upstream: TestUpstream; readonly during: () => Promise<unknown> },
): Promise<{ readonly failures: readonly unknown[]; readonly made: NewTenants['made'] }> => {
  const [first] = gateways;
  if (first === undefined) throw new Error('There is no gateway.');
  const { key } = await makeKey(first, 'known');
  const config = await saveChat(first, { upstream, slug: 'known', credential: 'sk-known' });
  for (const gateway of gateways)
    await expect.poll(async () => (await chat(gateway, { key, config })).status).toBe(200);
  const loads = gateways.map((gateway) => steadyLoad(() => chat(gateway, { key, config })));
  const tenants = gateways.map((gateway) => makeTenants(gateway, upstream));
  await setTimeout(second / 2);
  await during();
  await setTimeout(second / 2);
  await Promise.all([...loads, ...tenants].map((each) => each.end()));
  return {
    failures: [...loads.flatMap((load) => load.failures()), ...tenants.flatMap(({ failures }) => failures)].slice(0, 5),
    made: tenants.flatMap(({ made }) => made),
  };
};

/**
 * Checks that every credential opens. A gateway that has just started may take longer than half a second to read one from its
 * store.
 */
const allOpen = async (gateway: GatewayProcess, upstream: TestUpstream, made: NewTenants['made']): Promise<void> => {
  const failures = async () =>
    (await Promise.all(made.map((each) => chatWithin(gateway, upstream, each)))).filter(Boolean);
  await expect.poll(failures).toEqual([]);
};

const readRestart = async ({ origin }: GatewayProcess) => {
  const answer = await fetch(`${origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } });
  return (await answer.json()) as { readonly status: string; readonly restart: readonly string[] };
};

describe('gw keys rotate-master while a gateway is under load', () => {
  it('fails no request and no write with a key file beside SQLite, even if it runs often or is killed', async () => {
    const upstream = await chatUpstream();
    const folder = temporaryFolder();
    const options = { folder, unset: ['GW_MASTER_KEY'] };
    const gateway = await serveStore('gateway.db', options);
    const keyFile = path.join(folder, 'gateway.db.key');
    const keys = [readFileSync(keyFile, 'utf8')];
    let killed = 0;
    const { failures, made } = await loaded([gateway], {
      upstream,
      during: async () => {
        for (let time = 0; time < 2; time += 1) {
          expect(await rotate('gateway.db', { folder, env: {} })).toContain('reads that key by itself');
          keys.push(readFileSync(keyFile, 'utf8'));
        }
        for (let time = 0; time < 4; time += 1) killed += (await killedRotation('gateway.db', folder)) ? 1 : 0;
        // It continues what the killed commands have left.
        await rotate('gateway.db', { folder, env: {} });
      },
    });
    expect(failures).toEqual([]);
    expect(made).not.toEqual([]);
    expect(new Set(keys).size).toBe(3);
    expect(killed).toBeGreaterThan(0);
    expect(readFileSync(keyFile, 'utf8').trim().split('\n')).toHaveLength(1);
    const left = readdirSync(folder).filter((name) => name.startsWith('gateway.db.key'));
    expect(left.toSorted()).toEqual(['gateway.db.key', 'gateway.db.key.lock']);
    expect(await readRestart(gateway)).toMatchObject({ status: 'ready', restart: [] });
    await gateway.stop();
    await allOpen(await serveStore('gateway.db', options), upstream, made);
  }, 180_000);

  it('fails no request with a separate key file, once that file has the new key', async () => {
    const upstream = await chatUpstream();
    const folder = temporaryFolder();
    const [old, next] = [newMaster(), newMaster()];
    const file = path.join(folder, 'master.key');
    writeFileSync(file, old);
    const options = { folder, unset: ['GW_MASTER_KEY'], env: { GW_MASTER_KEY_FILE: file } };
    const gateway = await serveStore('gateway.db', options);
    const { failures, made } = await loaded([gateway], {
      upstream,
      during: async () => {
        writeFileSync(file, next);
        await rotate('gateway.db', { folder, env: { GW_MASTER_KEY_FILE: file, GW_MASTER_KEY_PREVIOUS: old } });
      },
    });
    expect(failures).toEqual([]);
    await gateway.stop();
    await allOpen(await serveStore('gateway.db', options), upstream, made);
  }, 180_000);

  it.runIf(programs !== undefined)(
    'fails no request on PostgreSQL if each gateway has both keys',
    async () => {
      const server = await startPostgres(programs ?? '');
      onTestFinished(() => server.stop());
      const upstream = await chatUpstream();
      const folder = temporaryFolder();
      const [old, next] = [newMaster(), newMaster()];
      await (await serveStore(server.url, { env: { GW_MASTER_KEY: old } })).stop();
      const both = { GW_MASTER_KEY: next, GW_MASTER_KEY_PREVIOUS: old };
      const gateways = await Promise.all([0, 1].map(() => serveStore(server.url, { env: both })));
      const { failures, made } = await loaded(gateways, {
        upstream,
        during: () => rotate(server.url, { folder, env: both }),
      });
      expect(failures).toEqual([]);
      expect(made).not.toEqual([]);
      for (const gateway of gateways) await gateway.stop();
      await allOpen(await serveStore(server.url, { env: { GW_MASTER_KEY: next } }), upstream, made);
    },
    180_000,
  );

  it('reports a gateway that has only the previous key, which still uses what it has already opened', async () => {
    const upstream = await chatUpstream();
    const folder = temporaryFolder();
    const [old, next] = [newMaster(), newMaster()];
    const gateway = await serveStore('gateway.db', { folder, env: { GW_MASTER_KEY: old } });
    const { key } = await makeKey(gateway, 'known');
    const config = await saveChat(gateway, { upstream, slug: 'known', credential: 'sk' });
    await control(gateway, 'POST /workspaces', { body: { name: 'other', slug: 'other' } });
    await expect.poll(async () => (await chat(gateway, { key, config })).status).toBe(200);
    const load = steadyLoad(() => chat(gateway, { key, config }));
    await rotate('gateway.db', { folder, env: { GW_MASTER_KEY: next, GW_MASTER_KEY_PREVIOUS: old } });
    await expect.poll(() => readRestart(gateway)).toMatchObject({ status: 'degraded', restart: [expect.any(String)] });
    expect((await readRestart(gateway)).restart[0]).toContain('The master key of the store was rotated');
    expect(gateway.printed()).toContain('gw: The master key of the store was rotated');
    await saveChat(gateway, { upstream, slug: 'later', credential: 'sk-2' });
    await setTimeout(second);
    await load.end();
    expect(load.failures()).toEqual([]);
    const refused = await callControl(gateway, 'POST /providers', {
      body: { name: 'p', provider: 'openai', credential: { api_key: 'sk-3' } },
      workspace: 'other',
    });
    expect(refused.status).toBe(503);
    await gateway.stop();
    const again = await serveStore('gateway.db', { folder, env: { GW_MASTER_KEY: next } });
    expect((await chat(again, { key, config: 'later' })).status).toBe(200);
  }, 180_000);
});
