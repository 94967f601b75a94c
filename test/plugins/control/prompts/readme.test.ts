import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readFences } from '../../../support/readme/read-fences.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const run = promisify(execFile);

it('the example of the README prints what it says', async () => {
  const source = new URL('../../../../plugins/control/prompts/', import.meta.url);
  const fences = readFences(readFileSync(new URL('README.md', source), 'utf8'));
  const textOf = (wanted: string): string => fences.find(({ language }) => language === wanted)?.text ?? '';
  const text = textOf('ts').replaceAll(/from '(\.[^']+)'/g, (_, file: string) => `from '${new URL(file, source)}'`);
  const folder = temporaryFolder({ 'package.json': { type: 'module' }, 'example.ts': text });
  const { stdout, stderr } = await run(process.execPath, ['example.ts'], { cwd: folder });
  expect([stdout, stderr]).toEqual([textOf('text'), '']);
});
