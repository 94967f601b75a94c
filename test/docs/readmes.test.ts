import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../tools/build/package-modules.ts';

const files = globSync('docs/{start,recipes,how-it-works}/*.md', { cwd: root }).sort();

/** READMEs with details that no page of the site has, for readers who look for exactly that. */
const exceptions: Readonly<Record<string, string>> = {
  'test/bench/README.md': 'all figures of the benchmark, of which a page has the most important',
};

/** Returns the READMEs outside the documentation that a page links to. They are written for contributors. */
const sourceReadmes = (file: string, markdown: string): readonly string[] =>
  [...markdown.matchAll(/\]\(([^)\s#]*README\.md)(?:#[^)]*)?\)/g)]
    .map(([, href = '']) => path.posix.join(path.posix.dirname(file), href))
    .filter((target) => !target.startsWith('docs/'));

it('links to READMEs of the sources are found', () => {
  const markdown = '[a](../../plugins/caches/README.md#bounds) [b](README.md) [c](../reference/README.md#x)';
  expect(sourceReadmes('docs/recipes/one.md', markdown)).toEqual(['plugins/caches/README.md']);
});

it.each(files)('%s links to no README of the sources', (file) => {
  const found = sourceReadmes(file, readFileSync(path.join(root, file), 'utf8'));
  expect(found.filter((target) => !Object.hasOwn(exceptions, target))).toEqual([]);
});

/** Whether a file is for readers: one that operators use as it is in the package, or one written for everybody. */
const isForReaders = (target: string): boolean =>
  /^deploy\/(?:grafana|kubernetes|prometheus|systemd)\//.test(target) ||
  ['CHANGELOG.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'SECURITY.md'].includes(target);

const guides = files.filter((file) => !file.startsWith('docs/how-it-works/'));

it.each(guides)('%s links to no source', (file) => {
  const found = [...readFileSync(path.join(root, file), 'utf8').matchAll(/\]\((\.\.\/[^)\s#]*)(?:#[^)]*)?\)/g)]
    .map(([, href = '']) => path.posix.join(path.posix.dirname(file), href))
    .filter((target) => !target.startsWith('docs/'));
  expect(found.filter((target) => !isForReaders(target))).toEqual([]);
});

it('each exception is used', () => {
  const all = files.flatMap((file) => sourceReadmes(file, readFileSync(path.join(root, file), 'utf8')));
  expect(Object.keys(exceptions).filter((target) => !all.includes(target))).toEqual([]);
});
