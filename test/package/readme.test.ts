import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { cleanEnvironment } from '../support/commands/clean-environment.ts';
import { runCommand } from '../support/commands/run-command.ts';
import { brokenLinks } from '../support/readme/broken-links.ts';
import { type ExamplePlace, strictCurl } from '../support/readme/example-folder.ts';
import { runExamplesIn } from '../support/readme/run-examples.ts';
import type { NodeRelease } from './support/node-releases.ts';
import { initialise } from './support/packages.ts';
import { typeCheck } from './support/type-check.ts';

const installed = path.join(inject('project'), 'node_modules/gatewright');

const readmes: readonly string[] = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'README.md')
  .sort();

const place = (folder: string, node: NodeRelease): ExamplePlace => {
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  write('.home/.curlrc', strictCurl);
  const home = path.join(folder, '.home');
  const env = cleanEnvironment();
  const PATH = [path.join(folder, 'node_modules/.bin'), node.folder, env.PATH].join(path.delimiter);
  return { path: folder, write, env: { ...env, PATH, HOME: home, CURL_HOME: home } };
};

// For the Node that runs the tests, test/readme.test.ts follows the README.
describe.each([inject('oldestNode'), inject('newestNode')])(
  'the packed README in a new npm project with Node $version',
  (node) => {
    let folder: string;
    beforeAll(async () => {
      folder = await initialise([inject('tarball')]);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('contains only examples that work', async () => {
      const examples = place(folder, node);
      const { stdout } = await runCommand(['node', '--version'], { cwd: folder, env: examples.env });
      expect(stdout).toBe(`v${node.version}\n`);
      const run = await runExamplesIn(readFileSync(path.join(installed, 'README.md'), 'utf8'), examples, (files) =>
        typeCheck(folder, { files, resolution: 'nodenext' }),
      );
      expect(run.problems.join('\n\n')).toBe('');
      expect(run.examples).toBeGreaterThan(10);
    });
  },
);

describe('the packed READMEs', () => {
  it('include those of the folders', () => {
    expect(readmes.length).toBeGreaterThan(10);
  });

  it.each(readmes)('have no broken links in %s', (file) => {
    const text = readFileSync(path.join(installed, file), 'utf8');
    expect(brokenLinks(text, path.dirname(path.join(installed, file)))).toEqual([]);
  });
});
