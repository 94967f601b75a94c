import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { declaredMetrics } from '../../deploy/monitoring/declared-metrics.ts';
import { root } from '../../tools/build/package-modules.ts';
import { queryNames } from './support/query-names.ts';

const folder = path.join(root, 'deploy/prometheus');
const read = (file: string): string => readFileSync(path.join(root, 'deploy', file), 'utf8');

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface RuleTest {
  readonly alert_rule_test?: readonly { readonly alertname: string; readonly exp_alerts: readonly object[] }[];
}

const rules: readonly Rule[] = parse(read('prometheus/rules.yaml')).groups.flatMap(
  (group: { readonly rules: readonly Rule[] }) => group.rules,
);

interface Panel {
  readonly title: string;
  readonly targets?: readonly {
    readonly expr: string;
    readonly legendFormat?: string;
    readonly interval?: string;
  }[];
}

const dashboard: {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
} = JSON.parse(read('grafana/gatewright.json'));

const panelQueries = dashboard.panels.flatMap(({ targets = [] }) => targets);
const variables = dashboard.templating.list.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));

const families = await declaredMetrics();

/** Returns the declared family of a name in a query, with the labels of its series. */
const findFamily = (name: string) => {
  const family = families.find((each) =>
    each.type === 'histogram'
      ? [`${each.name}_bucket`, `${each.name}_sum`, `${each.name}_count`].includes(name)
      : each.name === name,
  );
  if (family === undefined) return undefined;
  return { name: family.name, labels: [...family.labels, ...(name.endsWith('_bucket') ? ['le'] : [])] };
};

/** Labels that Prometheus itself adds. */
const ofTargets = ['instance', 'job', 'namespace', 'pod'];

const problems = (query: string, alsoNamed: readonly string[] = []): readonly string[] => {
  const { metrics, labels } = queryNames(query);
  const found = metrics.map((name) => ({ name, family: findFamily(name) }));
  return [
    ...(metrics.length === 0 ? ['It names no metric.'] : []),
    ...found.flatMap(({ name, family }) => (family === undefined ? [`There is no metric ${name}.`] : [])),
    ...[...labels, ...alsoNamed].flatMap((label) =>
      found.every(({ family }) => family?.labels.includes(label) === true || ofTargets.includes(label))
        ? []
        : [`A metric of ${metrics.join(', ')} has no label ${label}.`],
    ),
  ];
};

const templateLabels = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(([, name = '']) => name);

describe('a query', () => {
  it('is parsed into its metrics and labels', () => {
    expect(queryNames('sum by (a, le) (rate(x_total{b=~"c|d",e!="f"}[5m])) / on (g) y{} > 0.5')).toEqual({
      metrics: ['x_total', 'y'],
      labels: ['a', 'le', 'b', 'e', 'g'],
    });
    expect(queryNames('label_values(x_total{b="c"}, plan)')).toEqual({ metrics: ['x_total'], labels: ['b', 'plan'] });
    expect(queryNames('histogram_quantile(0.5, x_bucket) > bool 3600 * a:b:rate2m')).toEqual({
      metrics: ['x_bucket', 'a:b:rate2m'],
      labels: [],
    });
  });

  it('is reported if it names something that no gateway has', () => {
    expect(problems('rate(gatewright_nothing_total[5m])')).toEqual(['There is no metric gatewright_nothing_total.']);
    expect(problems('sum by (model) (gatewright_tokens_total)')).toEqual([
      'A metric of gatewright_tokens_total has no label model.',
    ]);
    expect(problems('gatewright_tokens_total', ['le'])).toHaveLength(1);
  });
});

describe('the alerting rules', () => {
  it.each(rules.map((rule) => [rule.alert ?? rule.record, rule] as const))(
    'use only metrics and labels of the gateway: %s',
    (_name, { expr, annotations = {} }) => {
      expect(problems(expr, Object.values(annotations).flatMap(templateLabels))).toEqual([]);
    },
  );

  it('have tests in which each alert fires and in which it does not', () => {
    const tests: readonly RuleTest[] = parse(read('prometheus/rules.test.yaml')).tests;
    const tried = tests.flatMap(({ alert_rule_test: each = [] }) => each);
    for (const { alert } of rules.filter((rule) => rule.alert !== undefined)) {
      const own = tried.filter(({ alertname }) => alertname === alert).map(({ exp_alerts: { length } }) => length > 0);
      expect(own, alert).toEqual([true, false]);
    }
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  it.skipIf(!hasPromtool)('pass their tests in promtool', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'rules.test.yaml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
  });
});

describe('the dashboard', () => {
  it('uses only metrics and labels of the gateway', () => {
    const found = [
      ...panelQueries.flatMap(({ expr, legendFormat = '' }) => problems(expr, templateLabels(legendFormat))),
      ...variables.flatMap((query) => problems(query)),
    ];
    expect(found).toEqual([]);
    expect(panelQueries.length).toBeGreaterThan(20);
  });

  it('has rate intervals of at least four scrapes of the chart, and of two scrapes a minute apart', () => {
    const seconds = (text: string): number => Number(/^(\d+)s$/.exec(text)?.[1]);
    const rates = panelQueries.filter(({ expr }) => expr.includes('$__rate_interval'));
    expect(rates.length).toBeGreaterThan(10);
    const scraped = seconds(parse(read('helm/gatewright/values.yaml')).metrics.serviceMonitor.interval);
    // Grafana uses at least four scrape intervals there.
    const shortest = Math.min(...rates.map(({ interval = '' }) => 4 * seconds(interval)));
    expect(shortest).toBeGreaterThanOrEqual(Math.max(4 * scraped, 2 * 60));
  });

  it('shows every metric of the gateway', () => {
    const shown = new Set(
      panelQueries.flatMap(({ expr }) => queryNames(expr).metrics.map((name) => findFamily(name)?.name)),
    );
    const own = families.filter(({ name }) => !/^gatewright_(?:process|nodejs)_/.test(name)).map(({ name }) => name);
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter((name) => !shown.has(name))).toEqual([]);
  });
});
