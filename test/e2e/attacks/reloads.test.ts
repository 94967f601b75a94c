import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';

const serve = async (): Promise<GatewayProcess> => {
  const gateway = await startGateway({
    files: { 'gateway.json': { configs: 'configs', default_config: 'a' }, 'configs/a.json': { provider: 'echo' } },
  });
  onTestFinished(() => gateway.stop());
  return gateway;
};

const readiness = async ({ origin }: GatewayProcess): Promise<string> => (await fetch(`${origin}/readyz`)).text();
const unhurried = { ...patience, interval: 100 };

const hindrances: readonly { readonly name: string; readonly put: (file: string) => void; readonly says: string }[] = [
  { name: 'a pipe', put: (file) => symlinkSync(pipeBeside(file), file), says: 'It is a pipe or a device.' },
  { name: 'a device', put: (file) => symlinkSync('/dev/zero', file), says: 'It is a pipe or a device.' },
  {
    name: 'a file of a gigabyte',
    put: (file) => {
      writeFileSync(file, '');
      truncateSync(file, 1 << 30);
    },
    says: 'It is larger than 67108864 bytes.',
  },
];

const pipeBeside = (file: string): string => {
  const pipe = path.join(path.dirname(file), '..', 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  return pipe;
};

it.for(hindrances)(
  'reports $name among the configs on /readyz, and still loads later changes',
  async ({ put, says }) => {
    const gateway = await serve();
    const wrong = path.join(gateway.folder, 'configs', 'wrong.json');
    put(wrong);
    await vi.waitFor(async () => expect(await readiness(gateway)).toContain(says), unhurried);
    writeFileSync(path.join(gateway.folder, 'configs', 'b.json'), '{ "provider": "echo" }');
    await vi.waitFor(async () => expect(await readiness(gateway)).toContain('"b.json"'), unhurried);
    rmSync(wrong);
    await vi.waitFor(async () => expect(await readiness(gateway)).toContain('"status":"ready"'), unhurried);
  },
);
