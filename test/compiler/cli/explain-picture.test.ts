import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText } from '../../../compiler/cli/explain/picture/cut-text.ts';
import { pictures } from '../../../compiler/cli/explain/picture/pictures.ts';
import { planPicture } from '../../../compiler/cli/explain/picture/plan-picture.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { routingPlan } from '../../support/arbitraries/plan.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { leafAt, targetAt, toFallback } from '../../support/plans/plan-nodes.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const key = { api_key: '${env:KEY}' };
const routed: JsonObject = {
  name: 'routed',
  strategy: {
    mode: 'conditional',
    conditions: [
      { query: { 'metadata.tier': 'gold' }, then: 'careful' },
      { query: { 'metadata.tier': { $regex: '^<team>"&' } }, then: 'careful' },
    ],
    default: 'shared',
  },
  targets: [
    {
      ...{ name: 'careful', strategy: { mode: 'fallback', on_status_codes: [429, 529] }, retry: { attempts: 2 } },
      targets: [
        { name: 'claude', provider: 'anthropic', ...key, override_params: { model: 'claude-sonnet-5' } },
        { name: 'gpt <b>"x" & \'y\'', provider: 'openai', ...key },
      ],
    },
    {
      ...{ name: 'shared', strategy: { mode: 'loadbalance' } },
      mirror: {
        target: { name: 'shadow', provider: 'openai', ...key, override_params: { model: 'next' } },
        percent: 5,
      },
      targets: [
        { name: 'a', weight: 3, provider: 'openai', ...key, override_params: { model: 'm' } },
        { name: 'b', weight: 1, provider: 'echo' },
      ],
    },
  ],
};

const draw = async (format: string, config: JsonObject = routed) =>
  runGw(temporaryFolder({ 'a.json': config }), ['explain', 'a.json', '--format', format]);

const formats = ['mermaid', 'dot', 'svg'] as const;

/** Parses a text as XML and returns its tags and texts. Throws if it is not well-formed. */
const readXml = (text: string): { readonly tags: readonly string[]; readonly texts: readonly string[] } => {
  const tags: string[] = [];
  const texts: string[] = [];
  const open: string[] = [];
  const attributes = /^(?:\s+[a-z][\w-]*="[^"<]*")*\s*\/?$/i;
  let at = 0;
  for (const match of text.matchAll(/<(\/?)([a-z]+)([^<>]*)>/gi)) {
    const [whole, closing, name = '', rest = ''] = match;
    const between = text.slice(at, match.index);
    if (/[<>]/.test(between) || /&(?!(?:amp|lt|gt|quot|#39);)/.test(between)) throw new Error(`It has ${between}.`);
    if (between.trim() !== '') texts.push(between);
    at = match.index + whole.length;
    if (!attributes.test(rest)) throw new Error(`${whole} is no tag.`);
    if (closing === '/') {
      if (open.pop() !== name) throw new Error(`${whole} closes nothing.`);
    } else {
      tags.push(name);
      if (!rest.endsWith('/')) open.push(name);
    }
  }
  if (open.length > 0 || text.slice(at).trim() !== '') throw new Error('It does not end.');
  return { tags, texts };
};

const named = (name: string, count: number): RoutingPlan => {
  const targets = Array.from({ length: count }, (_, index) => ({ ...targetAt(index), id: `${name}${index}` }));
  const [first = leafAt(0), ...others] = targets.map((_, index) => leafAt(index));
  const root = toFallback({ kind: 'not-2xx' }, first, ...others);
  return { name, root, targets } as unknown as RoutingPlan;
};

describe('gw explain --format', () => {
  it.each(formats)('%s draws a plan, the same each time', async (format) => {
    const { code, out, err } = await draw(format);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect((await draw(format)).out).toBe(out);
    await expect(out).toMatchFileSnapshot(`golden/routed.${format === 'mermaid' ? 'mmd' : format}`);
  });

  it.each(formats)('%s prints nothing on stdout if the config has errors', async (format) => {
    const { code, out, err } = await draw(format, { provider: 'opnai', ...key });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('unknown-provider');
  });

  it('draws 10,000 targets in a picture of limited size that counts the rest', () => {
    const plan = named('t', 10_000);
    for (const format of formats) {
      const text = pictures[format](plan);
      expect(text.length).toBeLessThan(60_000);
      expect(text).toContain('9940 more targets');
    }
    expect(pictures.svg(plan)).toContain('viewBox="0 0 576 ');
  });

  it('escapes every name', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom(
        '"]; n9["',
        '</text><script>alert(1)</script>',
        '\\',
        '"\\',
        'a\nb',
        ']]>',
        '`',
        '%%{init}%%',
        '\u0000',
        '\ud800',
      ),
    );
    fc.assert(
      fc.property(name, (text) => {
        const plan = named(text, 2);
        const { tags } = readXml(pictures.svg(plan));
        expect(new Set(tags)).toEqual(new Set(['svg', 'title', 'style', 'path', 'text', 'rect']));
        // Only lines and boxes, with names inside their quotes.
        for (const line of pictures.mermaid(plan).trimEnd().split('\n').slice(1))
          expect(line).toMatch(
            /^ {2}n\d+(?:(?:\[|\[\[)"[^"[\]{}()|<>`]*(?:<br\/>[^"[\]{}()|<>`]*)?"\]{1,2}| --> ?\|"[^"|<>`]*"\| n\d+)$/,
          );
        for (const line of pictures.dot(plan).trimEnd().split('\n').slice(2, -1))
          expect(line).toMatch(
            /^ {2}n\d+ (?:-> n\d+ )?\[(?:shape=\w+, )?label="(?:[^"\\]|\\.)*"(?:, style=dashed)?\];$/,
          );
      }),
      lawRuns,
    );
  });

  it('draws a box for each node of a plan, and a line to each box but the first', () => {
    fc.assert(
      fc.property(routingPlan, (plan) => {
        const { tags } = readXml(pictures.svg(plan));
        const boxes = tags.filter((tag) => tag === 'rect').length;
        expect(tags.filter((tag) => tag === 'path')).toHaveLength(boxes - 1);
        expect(pictures.dot(plan).match(/shape=/g)).toHaveLength(boxes);
        expect(pictures.mermaid(plan).match(/--?>|-\.->/g) ?? []).toHaveLength(boxes - 1);
        expect(planPicture(plan)).toEqual(planPicture(plan));
      }),
      lawRuns,
    );
  });

  it.each([['--odds'], ['--fail', 'a=0.5'], ['--tokens', '10,10'], ['--dialect', 'chat'], ['--request', 'r.json']])(
    'is refused together with %s, which it would ignore',
    async (...option) => {
      const folder = temporaryFolder({ 'a.json': routed, 'r.json': {} });
      const { code, out, err } = await runGw(folder, ['explain', 'a.json', '--format', 'mermaid', ...option]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(`A picture shows only the plan, so ${option[0]} has no effect with --format mermaid.`);
    },
  );

  it('cuts texts by the display width of their characters', () => {
    expect(cutText('claude-sonnet', 20)).toBe('claude-sonnet');
    expect(cutText('claude-sonnet', 8)).toBe('claude-…');
    expect(cutText('目标目标目标', 8)).toBe('目标目…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 4, max: 40 }), (text, columns) => {
        expect([...cutText(text, columns)].length).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('needs only modules that run without Node.js', () => {
    const root = new URL('../../../', import.meta.url);
    const seen = new Set<string>();
    const visit = (url: URL): void => {
      if (seen.has(url.href)) return;
      seen.add(url.href);
      const code = readFileSync(url, 'utf8');
      for (const [statement, from = ''] of code.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)';/gms)) {
        if (/^(?:import|export) type\b/.test(statement)) continue;
        expect(from, url.href).toMatch(/^\./);
        visit(new URL(from, url));
      }
    };
    const folder = new URL('compiler/cli/explain/picture/', root);
    for (const file of readdirSync(folder)) visit(new URL(file, folder));
    expect(seen.size).toBeGreaterThan(8);
  });
});
