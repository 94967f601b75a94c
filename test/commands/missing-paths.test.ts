import { expect, it } from 'vitest';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';

const files = { 'configs/chat.json': {}, 'gateway.json': {}, 'tests/a.route.yaml': '' };

it.each([
  [['check', 'configs/chta.json'], 'file or folder "configs/chta.json"', 'configs/chat.json'],
  [['check', 'config'], 'file or folder "config"', 'configs'],
  [['fmt', './gatway.json'], 'file or folder "./gatway.json"', 'gateway.json'],
  [['test', 'test'], 'file or folder "test"', 'tests'],
  [['diff', 'configs/chat.json', 'configs/chat.jsn'], 'file or folder "configs/chat.jsn"', 'configs/chat.json'],
  [['check', 'configs', '--config', 'gateway.jsn'], 'file "gateway.jsn"', 'gateway.json'],
])('%j suggests the path with a similar name', async (argv, missing, meant) => {
  const { code, err } = await runGw(temporaryFolder(files), argv);
  expect([code, err]).toEqual([2, expect.stringContaining(`There is no ${missing}. Did you mean "${meant}"?`)]);
});

it('a path without a similar name, or in a folder that does not exist, is not replaced by another', async () => {
  const cwd = temporaryFolder(files);
  for (const path of ['prod', 'config/chat.json'])
    expect((await runGw(cwd, ['check', path])).err).toContain(
      `There is no file or folder "${path}". Paths start at ${cwd}`,
    );
});
