import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildConsole } from '../../../plugins/console/build.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .sort();

describe('the built console', () => {
  let folder = '';
  let manifest: Readonly<Record<string, Chunk>> = {};
  const ends: (() => void)[] = [];
  beforeAll(async () => {
    folder = temporaryFolder({}, (end) => ends.push(end));
    await buildConsole(folder);
    manifest = JSON.parse(readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8'));
    return () => {
      for (const end of ends) end();
    };
  });

  /** The files that a chunk needs before it runs. */
  const needed = (name: string, found: Set<string> = new Set()): ReadonlySet<string> => {
    const chunk = manifest[name];
    if (chunk === undefined || found.has(chunk.file)) return found;
    found.add(chunk.file);
    for (const css of chunk.css ?? []) found.add(css);
    for (const each of chunk.imports ?? []) needed(each, found);
    return found;
  };

  /** A file as browsers decompress it. Large files exist only in compressed form. */
  const readBuilt = (file: string): Buffer => {
    const whole = path.join(folder, file);
    return existsSync(whole) ? readFileSync(whole) : gunzipSync(readFileSync(`${whole}.gz`));
  };

  const compressed = (files: Iterable<string>): number =>
    [...files].reduce((sum, file) => sum + gzipSync(readBuilt(file)).length, 0);

  it('needs at most 150 KB, compressed, to show each light page first', () => {
    const pages = Object.entries(manifest).filter(([name]) => /^pages\/[^/]+\/[^/]+\.tsx$/.test(name));
    const entry = needed('index.html');
    // Pages with an editor or charts load them only when they are opened, after the first page is shown.
    const light = pages.filter(([name]) => /^pages\/(?:live|keys|policies|audit)\//.test(name)).map(([name]) => name);
    const sizes = light.map((name) => compressed(new Set(['index.html', ...entry, ...needed(name)])));
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(150 * 1024);
  });

  it('loads neither the editor nor charts with the first page', () => {
    const text = [...needed('index.html')]
      .filter((file) => file.endsWith('.js'))
      .map((file) => readBuilt(file).toString())
      .join('\n');
    expect(text).not.toMatch(/cm-editor|uplot/i);
  });

  it('contains no inline code or styles, which the security policy forbids', () => {
    const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
    expect(html).not.toMatch(/(?:src|href)="(?!\/console\/)/);
  });

  it('names each file after its content', () => {
    const files = listFiles(folder).filter((file) => file !== 'index.html' && file !== '.vite/manifest.json');
    expect(files.filter((file) => !/^assets\/[\w.-]+-[\w-]{8}\.\w+(?:\.br|\.gz)?$/.test(file))).toEqual([]);
  });

  it('is identical when it is built again', async () => {
    const again = temporaryFolder({}, onTestFinished);
    await buildConsole(again);
    const digest = (from: string): readonly string[] =>
      listFiles(from).map(
        (file) =>
          `${file} ${createHash('sha256')
            .update(readFileSync(path.join(from, file)))
            .digest('hex')}`,
      );
    expect(digest(again)).toEqual(digest(folder));
  });
});
