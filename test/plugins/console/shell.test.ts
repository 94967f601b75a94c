import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toApiError } from '../../../plugins/console/app/api/error.ts';
import { splitHidden } from '../../../plugins/console/app/components/safe-pieces.ts';
import { findPage } from '../../../plugins/console/app/router/find-page.ts';
import { matchCommands } from '../../../plugins/console/app/shell/match-commands.ts';
import { viewerScopes } from '../../../plugins/console/app/shell/viewer-scopes.ts';
import { texts } from '../../../plugins/console/app/texts/shell.ts';
import { listPages } from '../../e2e/console/support/list-pages.ts';

describe('untrusted text', () => {
  it.each([
    ['a\u202eb', ['a', 'U+202E', 'b']],
    ['\u0000', ['U+0000']],
    ['\ud800x', ['U+D800', 'x']],
    ['\u200b\u2066', ['U+200B', 'U+2066']],
    ['\u{e0041}', ['U+E0041']],
    ['a\u200db', ['a', 'U+200D', 'b']],
    ['line\nnext\ttab', ['line\nnext\ttab']],
    ['שלום 👩‍👩‍👧 café', ['שלום 👩‍👩‍👧 café']],
  ])('is shown with its hidden characters: %j', (text, pieces) => {
    expect(splitHidden(text).map((piece) => piece.text)).toEqual(pieces);
  });

  it('is never interpreted as markup', () => {
    expect(splitHidden('<img onerror=alert(1)>')).toEqual([{ text: '<img onerror=alert(1)>', isHidden: false }]);
  });
});

describe('the page of a URL path', () => {
  const pages = [{ path: '/requests/:id' }, { path: '/requests/saved' }, { path: '/keys' }];

  it.each([
    ['/keys', '/keys', {}],
    ['/requests/saved', '/requests/saved', {}],
    ['/requests/a%2Fb', '/requests/:id', { id: 'a/b' }],
    ['/requests', undefined, undefined],
    ['/requests/%E0%A4%A', undefined, undefined],
    ['/KEYS', undefined, undefined],
  ])('for %s is %s', (address, path, params) => {
    const found = findPage(pages, address);
    expect(found?.page.path).toBe(path);
    expect(found?.params).toEqual(params);
  });
});

describe('the command palette', () => {
  const commands = ['Go to Keys', 'Create key', 'Theme: Dark'].map((title) => ({ title }));

  it.each([
    ['', ['Go to Keys', 'Create key', 'Theme: Dark']],
    ['key', ['Go to Keys', 'Create key']],
    ['create', ['Create key']],
    ['DARK theme', ['Theme: Dark']],
    ['nothing', []],
  ])('finds commands for %j', (typed, titles) => {
    expect(matchCommands(commands, typed).map(({ title }) => title)).toEqual(titles);
  });
});

describe('an error of the control API', () => {
  it('keeps its message, code and problems', () => {
    const error = toApiError(
      400,
      JSON.stringify({
        error: {
          message: 'Not valid.',
          code: 'AB01',
          errors: [{ pointer: '/name', message: 'Missing.', hint: 'Add it.' }],
        },
      }),
    );
    expect(error).toMatchObject({ message: 'Not valid.', code: 'AB01', status: 400 });
    expect(error.problems).toEqual([{ pointer: '/name', message: 'Missing.', hint: 'Add it.' }]);
  });

  it.each(['', '<html>', 'null', '[]', '{"error":null}'])('has a message if the body is %j', (body) => {
    expect(toApiError(502, body).message).toContain('502');
  });
});

describe('the key of a read-only user', () => {
  const allowed: readonly string[] = viewerScopes;

  it('is created by the command in the recipe', () => {
    const recipe = new URL('../../../docs/recipes/see-logs-and-change-configs-in-a-browser.md', import.meta.url);
    expect(readFileSync(recipe, 'utf8')).toContain(`\n${texts.signIn.command(viewerScopes)}\n`);
  });

  it('opens the pages for figures, requests and configs, and has no unneeded scope', async () => {
    const pages = await listPages();
    const opened = pages.filter(({ scopes }) => scopes.every((scope) => allowed.includes(scope)));
    const titles = ['Config', 'Configs', 'Live', 'Overview', 'Plan', 'Request', 'Usage'];
    expect(opened.map(({ title }) => title).toSorted()).toEqual(titles);
    expect(opened.flatMap(({ scopes }) => scopes)).toEqual(expect.arrayContaining(allowed.toSorted()));
  });
});
