import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** Loads a module in a process that can open no file, and again when it can, and returns the result of both. */
const loadTwice = (file: string, load: string): readonly string[] => {
  const program = `
    import { closeSync, openSync } from 'node:fs';
    const part = await import(${JSON.stringify(new URL(`../../../../runtime/${file}`, import.meta.url).href)});
    const load = ${load};
    const attempt = () => Promise.resolve().then(load).then(() => console.log('loaded'), () => console.log('failed'));
    const open = [];
    try {
      for (;;) open.push(openSync('/dev/null'));
    } catch {
      await attempt();
    }
    for (const each of open) closeSync(each);
    await attempt();`;
  const command = 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"';
  const { stdout } = spawnSync('sh', ['-c', command, process.execPath, program], { encoding: 'utf8' });
  return stdout.trim().split('\n');
};

describe.skipIf(process.platform === 'win32')('a list that could not be loaded because no file could be opened', () => {
  it.each([
    ['prices', 'usage/prices/listed-prices.ts', '((lists) => () => lists.ready())(part.createListedPrices())'],
    ['model names', 'usage/prices/listed-models.ts', '((lists) => () => lists.ready())(part.createListedModels())'],
    [
      'model facts',
      'model-catalogue/late-model-catalogue.ts',
      'part.lateModelCatalogue({ plugins: [], now: Date.now })',
    ],
  ])('is loaded when it is needed again: %s', (_, file, load) => {
    expect(loadTwice(file, load)).toEqual(['failed', 'loaded']);
  });
});
