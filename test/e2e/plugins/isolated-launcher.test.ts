import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';

const plugin = `export default {
  name: 'acme', api: 1,
  guardrails: [{
    id: 'acme.act',
    parameters: { type: 'object', properties: { loops: { type: 'boolean' } } },
    create: ({ loops }) => () => { for (; loops; ); return { pass: true, data: null }; },
  }],
};`;

const config = (loops: boolean): object => ({
  provider: 'echo',
  input_guardrails: [{ 'acme.act': { loops, timeout: 60_000, failOnError: true }, deny: true }],
});

const files = {
  'package.json': { type: 'module' },
  'acme.js': plugin,
  'gateway.json': { configs: 'configs', default_config: 'fine', plugins: [{ package: './acme.js', isolate: true }] },
  'configs/fine.json': config(false),
  'configs/loop.json': config(true),
};

/** Blocks its process as an endless loop would, but uses no processor time. */
const blocking = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

const ask = async ({ baseUrl }: GatewayProcess, name: string): Promise<number> => {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': name },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
  });
  await answer.text();
  return answer.status;
};

const ps = (...args: readonly string[]): string => {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', maxBuffer: 16 << 20 });
  } catch {
    // There is no such process.
    return '';
  }
};

const toChild = (parent: number, part: string): number => {
  const found = ps('-A', '-o', 'pid=,ppid=,stat=,args=')
    .split('\n')
    .flatMap((line) => {
      const [, pid, owner, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      return Number(owner) === parent && !state.startsWith('Z') && command.includes(part) ? [Number(pid)] : [];
    });
  expect(found).toHaveLength(1);
  return found[0] ?? 0;
};

/** The state of a process, unless it has ended. */
const toState = (pid: number): string | undefined => {
  const state = ps('-o', 'stat=', '-p', String(pid)).trim();
  return state === '' || state.startsWith('Z') ? undefined : state;
};

const runs = (pid: number): boolean => toState(pid) !== undefined;

describe.skipIf(process.platform === 'win32').each<[string, readonly string[]]>([
  ['one process', []],
  ['two workers', ['--workers', '2']],
])('the launcher of isolated plugins, for a gateway of %s', (_, args) => {
  let gateway: GatewayProcess;
  let ended: GatewayProcess;
  let unloaded: Promise<string>;
  beforeAll(async () => {
    // This start waits for its plugin while the other tests run.
    unloaded = startGateway({ args, files: { ...files, 'acme.js': blocking } }).then(
      async (started) => {
        await started.stop();
        return 'It started.';
      },
      ({ message }) => message,
    );
    [gateway, ended] = await Promise.all([startGateway({ args, files }), startGateway({ args, files })]);
  });
  afterAll(async () => {
    await gateway.stop();
    await ended.stop();
    await unloaded;
  });

  it('ends with a gateway that is killed, as does a plugin whose check loops', async () => {
    const launcher = toChild(ended.pid, 'launcher');
    const child = toChild(launcher, '--permission');
    const asked = ask(ended, 'loop').catch(() => 0);
    // It takes a while until the check has begun. From then on the process does nothing else.
    await expect.poll(() => toState(child)).toMatch(/^R/);
    ended.signal('SIGKILL');
    // Workers whose owner has ended finish their requests. This one finishes because its check has failed.
    expect(await asked).toBe(args.length === 0 ? 0 : 446);
    await expect.poll(() => [launcher, child].filter(runs)).toEqual([]);
  });

  it('keeps its plugins running if a terminal sends its signals to all processes', async () => {
    const launcher = toChild(gateway.pid, 'launcher');
    const child = toChild(launcher, '--permission');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      for (const pid of [launcher, child]) process.kill(pid, signal);
    expect(await ask(gateway, 'fine')).toBe(200);
    expect(toChild(launcher, '--permission')).toBe(child);
  });

  it('takes its plugins down if it is killed, and a new launcher starts them again', async () => {
    expect(await ask(gateway, 'fine')).toBe(200);
    const launcher = toChild(gateway.pid, 'launcher');
    const child = toChild(launcher, '--permission');
    process.kill(launcher, 'SIGKILL');
    await expect.poll(() => gateway.printed()).toContain('the process that had started it ended');
    await expect.poll(() => [launcher, child].filter(runs)).toEqual([]);
    await expect.poll(() => ask(gateway, 'fine')).toBe(200);
    expect(toChild(toChild(gateway.pid, 'launcher'), '--permission')).not.toBe(child);
  });

  it('ends with a gateway that is stopped', async () => {
    const launcher = toChild(gateway.pid, 'launcher');
    const child = toChild(launcher, '--permission');
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    await expect.poll(() => [launcher, child].filter(runs)).toEqual([]);
  });

  it('ends a plugin that does not load in time, which the gateway then reports', async () => {
    expect(await unloaded).toContain('The plugin "./acme.js" failed to load: it did not load within 20 seconds.');
  });
});
