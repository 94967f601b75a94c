import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownModule } from '../../../../plugins/sdk/loading/own-module.ts';
import { lateModules, root, startedModules } from '../../../../tools/build/package-modules.ts';

const sources = globSync('{compiler,gw,plugins,runtime}/**/*.ts', { cwd: root });

describe('a module that starts a process or thread', () => {
  it('exists at its path', () => {
    expect([...startedModules, ...lateModules].filter((module) => !existsSync(ownModule(module)))).toEqual([]);
  });

  it('is listed among the modules that the build keeps in place', () => {
    const named = sources.flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/ownModule\('([^']+)'\)/g)].map(([, module]) => module),
    );
    expect([...new Set(named)].toSorted()).toEqual(startedModules.filter((module) => module !== 'gw').toSorted());
  });
});
