import { expect, it, onTestFinished, vi } from 'vitest';
import { runGw } from '../../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { startApi, useEnvironment } from './support/api-server.ts';
import { commandFiles, everyCommand, secretVariable } from './support/every-command.ts';

const lines: readonly (readonly string[])[] = [
  ...everyCommand.map(({ argv }) => argv),
  ['explain', 'saved'],
  ['explain', '--log', 'x'],
  ['explain', 'names.json'],
  ['check', 'names.json'],
];

it('no command waits longer than ten seconds for a gateway that does not answer', async () => {
  const api = await startApi('never', { isControlPlane: false });
  useEnvironment({ GW_URL: api.url, GW_API_KEY: 'gw-test' });
  vi.stubEnv(secretVariable, 'sk-secret');
  const folder = temporaryFolder({ ...commandFiles, 'names.json': { provider: '@main' } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let over = 0;
  const running = lines.map(async (argv) => {
    const run = await runGw(folder, argv);
    over += 1;
    return { argv, ...run };
  });
  await expect.poll(() => api.requests).toHaveLength(lines.length);
  await vi.advanceTimersByTimeAsync(9000);
  expect(over).toBe(0);
  await vi.advanceTimersByTimeAsync(1000);
  const runs = await Promise.all(running);
  for (const { argv, code, out, err } of runs) {
    expect(out + err, argv.join(' ')).toContain(
      `${api.url} did not answer within 10 seconds. Try again, or check its log.`,
    );
    expect(code, argv.join(' ')).toBe(argv[0] === 'explain' && argv[1] !== 'names.json' ? 2 : 1);
  }
  // No command sends a second request, and none sends the key.
  expect(api.requests.map(({ line, key }) => `${line} ${key}`)).toEqual(lines.map(() => 'GET /v1/api-keys undefined'));
});
