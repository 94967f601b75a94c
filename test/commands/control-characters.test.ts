import { expect, it } from 'vitest';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';

/** A name that would colour a terminal and start a line with a build log command. */
const name = 'one\n::error::own\u001b[31m';

const config = (model: string): object => ({
  strategy: { mode: 'fallback' },
  targets: [
    { name, provider: 'echo', override_params: { model } },
    { name: 'two', provider: 'echo' },
  ],
});

const request = { body: { model: 'm', messages: [] } };

it.each([
  ['explain', 'a.json'],
  ['explain', 'a.json', '--request', 'request.json'],
  ['explain', 'a.json', '--odds', '--fail', `${name}=0.5`],
  ['diff', 'a.json', 'b.json'],
  ['simulate', 'a.json', '--traffic', 'traffic.json'],
])('gw %s prints no control characters from a name', async (...args) => {
  const files = {
    'a.json': config('a'),
    'b.json': config('b'),
    'request.json': request,
    'traffic.json': { duration_s: 5 },
  };
  const { code, out, err } = await runGw(temporaryFolder(files), args);
  expect([code > 1, err]).toEqual([false, '']);
  expect(out).toContain('one ::error::own [31m');
  expect(out).not.toContain('\u001b');
  expect(out).not.toMatch(/^::error::/m);
});
