import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';

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

let gateway: GatewayProcess | undefined;
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
});

const ask = async (name: string): Promise<number> => {
  const answer = await fetch(`${gateway?.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': name },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
  });
  await answer.text();
  return answer.status;
};

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
}

/** The processes that have not ended. */
const listed = (): readonly Listed[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8', maxBuffer: 16 << 20 })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      return state.startsWith('Z') || pid === undefined
        ? []
        : [{ pid: Number(pid), parent: Number(parent), state, command }];
    });

const toChild = (parent: number | undefined, part: string): number => {
  const found = listed().filter((each) => each.parent === parent && each.command.includes(part));
  expect(found).toHaveLength(1);
  return found[0]?.pid ?? 0;
};

const runs = (pid: number): boolean => listed().some((each) => each.pid === pid);

describe.skipIf(process.platform === 'win32').each<[string, readonly string[]]>([
  ['one process', []],
  ['two workers', ['--workers', '2']],
])('the process that starts those of isolated plugins, for a gateway of %s', (_, args) => {
  it('ends with a gateway that is killed, and so does a plugin whose check loops', async () => {
    gateway = await startGateway({ args, files });
    const launcher = toChild(gateway.pid, 'launcher');
    const child = toChild(launcher, '--permission');
    const asked = ask('loop').catch(() => 0);
    // It takes a while until the check has begun; from then on the process does nothing else.
    await expect.poll(() => listed().find(({ pid }) => pid === child)?.state).toMatch(/^R/);
    gateway.signal('SIGKILL');
    // Workers whose owner has ended let their requests end, of which the check of this one has failed.
    expect(await asked).toBe(args.length === 0 ? 0 : 446);
    await expect.poll(() => [launcher, child].filter(runs)).toEqual([]);
  });

  it('takes its plugins with it where it is killed, and another one starts them again', async () => {
    gateway = await startGateway({ args, files });
    expect(await ask('fine')).toBe(200);
    const launcher = toChild(gateway.pid, 'launcher');
    const child = toChild(launcher, '--permission');
    process.kill(launcher, 'SIGKILL');
    await expect.poll(() => gateway?.printed()).toContain('the process that had started it ended');
    await expect.poll(() => [launcher, child].filter(runs)).toEqual([]);
    await expect.poll(() => ask('fine')).toBe(200);
    expect(toChild(toChild(gateway.pid, 'launcher'), '--permission')).not.toBe(child);
  });

  /** Blocks its process as an endless loop would, but takes no processor. */
  const blocking = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

  it('ends a plugin that does not load in time, which the gateway then says', async () => {
    const started = startGateway({ args, files: { ...files, 'acme.js': blocking } });
    await expect(started).rejects.toThrow('The plugin "./acme.js" failed to load: it did not load within 20 seconds.');
  });

  it('ends with a gateway that is told to end', async () => {
    gateway = await startGateway({ args, files });
    const launcher = toChild(gateway.pid, 'launcher');
    const child = toChild(launcher, '--permission');
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    await expect.poll(() => [launcher, child].filter(runs)).toEqual([]);
  });
});
