import { describe, expect, it } from 'vitest';
import { layOut } from '../../../compiler/cli/explain/picture/layout.ts';
import { planPicture } from '../../../compiler/cli/explain/picture/plan-picture.ts';
import { compile } from '../../../compiler/compile.ts';
import {
  type DraftStore,
  draftKey,
  readDraft,
  removeDraft,
  writeDraft,
} from '../../../plugins/console/app/pages/config/drafts.ts';
import { fromCompiler, fromGateway, hasErrors } from '../../../plugins/console/app/pages/config/findings.ts';
import { findRange, lineAt } from '../../../plugins/console/app/pages/config/places.ts';
import { templateNames, templateText } from '../../../plugins/console/app/pages/new-config/starters.ts';
import { describeNode, moveFrom } from '../../../plugins/console/app/plan-picture/describe-node.ts';
import { overlayOf } from '../../../plugins/console/app/plan-picture/overlay.ts';
import { type LoggedRequest, targetFigures } from '../../../plugins/console/app/plan-picture/target-figures.ts';
import { visitedPaths } from '../../../plugins/console/app/plan-picture/visited-paths.ts';
import { nothingSaved } from '../../../schema/config/saved.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { testCatalogue } from '../../support/plans/catalogue.ts';
import { leafAt, not2xx, targetTable, toFallback } from '../../support/plans/plan-nodes.ts';

describe('the figures of targets', () => {
  const request = (target: string | null, ms: number, cause?: string): LoggedRequest => ({
    ...{ target, ms, is_success: cause === undefined },
    problem: cause === undefined ? null : { cause },
  });

  it('are the share, the errors and the 95th percentile of the duration', () => {
    const fast = Array.from({ length: 20 }, (_, index) => request('a', index + 1));
    const figures = targetFigures([
      ...fast,
      request('b', 7, 'circuit-open'),
      request('b', 9, 'upstream-500'),
      request(null, 1),
    ]);
    expect(figures).toEqual([
      { target: 'a', requests: 20, share: 20 / 22, errors: 0, p95Ms: 19, openCircuit: 0 },
      { target: 'b', requests: 2, share: 2 / 22, errors: 2, p95Ms: 9, openCircuit: 1 },
    ]);
    expect(targetFigures([])).toEqual([]);
  });
});

describe('the path of a request through a plan', () => {
  it('contains the nodes that it visited and the result at each target', () => {
    const visits = visitedPaths([
      { kind: 'attempted', path: '/targets/0', status: 503 },
      { kind: 'fellBack', path: '' },
      { kind: 'attempted', path: '/targets/1/targets/0', status: 200 },
      { kind: 'clientLeft' },
    ]);
    expect([visits.get(''), visits.get('/targets/0'), visits.get('/targets/1')]).toEqual([
      'passed',
      'failed',
      'passed',
    ]);
    expect(visits.get('/targets/1/targets/0')).toBe('answered');
    expect(visits.get('/targets/2')).toBeUndefined();
  });
});

describe('a node of the picture', () => {
  const root = toFallback(not2xx, leafAt(0), leafAt(1), leafAt(2));
  const layout = layOut(planPicture({ name: 'p', root, targets: targetTable }));

  it('can be reached from its neighbours with the keyboard', () => {
    const way = ['n0'];
    for (const key of [
      'ArrowRight',
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
      'ArrowUp',
      'ArrowLeft',
      'End',
      'Home',
    ] as const)
      way.push(moveFrom(layout, way.at(-1) ?? '', key));
    expect(way).toEqual(['n0', 'n1', 'n2', 'n3', 'n3', 'n2', 'n0', 'n3', 'n0']);
  });

  it('is described by the reason for its call and by the overlay', () => {
    const [, second] = layout.boxes;
    if (second === undefined) throw new Error('It has a target.');
    const overlay = {
      visits: new Map([['/targets/0', 'failed' as const]]),
      figures: new Map([['t0', { text: '5 %', isBad: true }]]),
    };
    expect(describeNode(second, 'first', overlayOf(overlay, second.node))).toBe(
      't0, scripted, 5 %, target, first, the request failed here',
    );
  });
});

describe('the range of a config value in its text', () => {
  const text = '{\n  "targets": [\n    { "provider": "a" },\n    { "provider": "b~/" }\n  ]\n}';

  it('is that of the value with its key, or the nearest one', () => {
    const at = (...steps: readonly (string | number)[]): string => {
      const { from, to } = findRange(text, toPointer(steps));
      return text.slice(from, to);
    };
    expect(at('targets', 1, 'provider')).toBe('"provider": "b~/"');
    expect(at('targets', 1)).toBe('{ "provider": "b~/" }');
    expect(at('targets', 7, 'provider')).toMatch(/^"targets"/);
    expect(at()).toBe(text);
    expect(lineAt(text, findRange(text, toPointer(['targets', 1])).from)).toBe(4);
  });

  it('is the whole text if the text cannot be parsed', () => {
    expect(findRange('', toPointer(['a']))).toEqual({ from: 0, to: 0 });
  });
});

describe("the gateway's findings", () => {
  it("use the exact ranges of the same findings from the page's own compiler", () => {
    const text = '{ "provider": "opnai" }';
    const { diagnostics } = compile(text, { trust: 'saved', catalogue: testCatalogue, file: 'config.json' });
    const found = fromCompiler(diagnostics);
    const { code = '', message = '', hint = '' } = found[0] ?? {};
    const findings = fromGateway(
      [{ code, severity: 'error', pointer: '/config/provider', message, hint }],
      found,
      text,
    );
    expect(findings.map(({ from, to }) => text.slice(from, to))).toEqual(['"opnai"']);
    expect(hasErrors(findings)).toBe(true);
    const others = fromGateway(
      [{ code: 'x', severity: 'warning', pointer: '/config/provider', message, hint }],
      [],
      text,
    );
    expect(others.map(({ from, to }) => text.slice(from, to))).toEqual(['"provider": "opnai"']);
    expect(hasErrors(others)).toBe(false);
  });
});

describe('drafts', () => {
  const memory = (): DraftStore => {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, value),
      removeItem: (key) => kept.delete(key),
    };
  };

  it('are separate for each key, workspace and config', () => {
    const store = memory();
    const whose = { principal: 'p', workspace: 'w', slug: 's' };
    writeDraft(store, draftKey(whose), { text: '{}', etag: '"1"' });
    expect(readDraft(store, draftKey(whose))).toEqual({ text: '{}', etag: '"1"' });
    for (const other of [{ principal: 'q' }, { workspace: 'x' }, { slug: 't' }])
      expect(readDraft(store, draftKey({ ...whose, ...other }))).toBeUndefined();
    removeDraft(store, draftKey(whose));
    expect(readDraft(store, draftKey(whose))).toBeUndefined();
  });

  it.each(['{', '1', 'null', '{"text":1,"etag":""}', '{"text":""}'])('are ignored if %s is stored', (value) => {
    expect(readDraft({ ...memory(), getItem: () => value }, 'k')).toBeUndefined();
  });

  it('tolerate a storage that throws', () => {
    const broken = (): never => {
      throw new Error('The storage is full.');
    };
    writeDraft({ getItem: broken, setItem: broken, removeItem: broken }, 'k', { text: '', etag: '' });
    removeDraft({ getItem: broken, setItem: broken, removeItem: broken }, 'k');
    expect(readDraft({ getItem: broken, setItem: broken, removeItem: broken }, 'k')).toBeUndefined();
  });
});

describe('starter configs', () => {
  it.each(templateNames)('%s compiles with the records that a workspace has saved', (name) => {
    const saved = {
      ...nothingSaved,
      providers: { prod: { provider: 'openai', credential: { api_key: '${saved:a/b/c}' } } },
    };
    const text = templateText(name, { providers: ['prod'], virtualKeys: [] });
    const { plan, diagnostics } = compile(text, { trust: 'saved', catalogue: testCatalogue, saved });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan).toBeDefined();
  });

  it.each(templateNames)('%s lacks only keys if nothing is saved', (name) => {
    const text = templateText(name, { providers: [], virtualKeys: [] });
    const { diagnostics } = compile(text, { trust: 'saved', catalogue: testCatalogue });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.length).toBeGreaterThan(0);
    for (const { pointer } of errors) expect(pointer).toMatch(/\/api_key$/);
  });
});
