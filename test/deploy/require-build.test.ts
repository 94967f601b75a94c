import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { requireBuild } from '../../deploy/support/require-build.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';

it('refuses to pack a project that has not been built', () => {
  const folder = temporaryFolder();
  expect(() => requireBuild(folder)).toThrow('There is no dist folder. Run: npm run build');
  mkdirSync(path.join(folder, 'dist'));
  writeFileSync(path.join(folder, 'dist/gw.js'), '');
  expect(() => requireBuild(folder)).not.toThrow();
});
