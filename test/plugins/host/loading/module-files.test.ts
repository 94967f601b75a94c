import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { moduleFiles } from '../../../../plugins/host/loading/module-files.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';

const toFiles = (folder: string, entry: string): readonly string[] =>
  moduleFiles(path.join(folder, entry)).map((file) => path.relative(folder, file));

describe('the files of a module', () => {
  it('are the module and its relative imports, each once, in every import syntax', () => {
    const folder = temporaryFolder({
      'index.mjs': `import a from './a.mjs';
        import"./b.mjs";
        export * from './lib/c.mjs';
        const d = await import('./d.mjs');
        import fs from 'node:fs'; import other from 'other';
        import './not-there.mjs';`,
      'a.mjs': "import './index.mjs'; import './b.mjs';",
      'b.mjs': '',
      'lib/c.mjs': "import '../a.mjs';",
      'd.mjs': '',
      'e.js': 'require(\'./f\'); const text = require("./g.json");',
      'f/index.js': '',
      'g.json': '{}',
    });
    expect(toFiles(folder, 'index.mjs').toSorted()).toEqual(['a.mjs', 'b.mjs', 'd.mjs', 'index.mjs', 'lib/c.mjs']);
    expect(toFiles(folder, 'e.js').toSorted()).toEqual(['e.js', 'f/index.js', 'g.json']);
  });

  it('are looked up next to a symbolic link first, and then at its target', () => {
    const folder = temporaryFolder({
      'v1/index.mjs': "import './a.mjs'; import './b.mjs';",
      'v1/a.mjs': '',
      'v1/b.mjs': '',
      'plugin/a.mjs': '',
    });
    symlinkSync('../v1/index.mjs', path.join(folder, 'plugin/index.mjs'));
    expect(toFiles(folder, 'plugin/index.mjs')).toEqual(['plugin/index.mjs', 'plugin/a.mjs', 'v1/b.mjs']);
  });
});
