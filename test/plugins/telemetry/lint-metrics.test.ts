import { describe, expect, it } from 'vitest';
import { lintMetrics } from '../../support/telemetry/lint-metrics.ts';
import { prometheusFamilies } from '../../support/telemetry/prometheus-families.ts';

const family = (name: string, type: string, ...samples: readonly string[]): string =>
  [`# HELP ${name} What it is.`, `# TYPE ${name} ${type}`, ...samples, ''].join('\n');

describe('the rules for metrics', () => {
  it.each([
    [family('a_seconds', 'gauge', 'a_seconds{plan="a\\"}\\\\",to="x, y"} 1.5'), []],
    [family('a_seconds', 'histogram', 'a_seconds_bucket{le="+Inf"} 1', 'a_seconds_sum 2', 'a_seconds_count 1'), []],
    ['# TYPE a gauge\n', ['a has no help']],
    [family('a_minutes', 'gauge'), ['a_minutes is not in a base unit but in minutes']],
    [family('a_milliseconds', 'gauge'), ['a_milliseconds is not in a base unit but in milliseconds']],
    [family('a', 'counter'), ['a must end in _total if it is a counter, and only then']],
    [family('a_total', 'gauge'), ['a_total must end in _total if it is a counter, and only then']],
    [family('a_bucket', 'gauge'), ['a_bucket ends as the buckets of a histogram']],
    [family('a_count', 'gauge'), ['a_count ends as a part of a histogram']],
    [family('a', 'gauge', 'a{le="1"} 1'), ['a has the label of a histogram']],
    [family('a', 'gauge', 'a{quantile="1"} 1'), ['a has the label of a summary']],
    [family('a_gauge', 'gauge'), ['a_gauge has its type in its name']],
    [family('a:b', 'gauge'), ['a:b has a colon in its name']],
    [family('a', 'gauge', 'a{keyId="1"} 1'), ['a is in camelCase']],
    [family('a_ms', 'gauge'), ['a_ms has an abbreviated unit in its name']],
    [family('a', 'gauge', 'a{x="1",y="2"} 1', 'a{y="2",x="1"} 1'), ['a has a series twice']],
  ])('apply to %j', (text, errors) => {
    expect(lintMetrics(prometheusFamilies(text))).toEqual(errors);
  });

  it.each([
    [family('a', 'gauge', 'b 1'), 'This sample is not of the family before it: b 1'],
    [family('a', 'gauge', 'a{x=1} 1'), 'The labels of this line cannot be read: a{x=1} 1'],
    [family('a', 'gauge', 'a{x="\\q"} 1'), 'The labels of this line cannot be read'],
    [family('a', 'gauge', 'a one'), 'This is no sample: a one'],
    [family('a', 'number'), 'This type is wrong, or there twice: # TYPE a number'],
    [family('a', 'gauge') + family('a', 'gauge'), 'The help of a is there twice.'],
    ['# TYPE a gauge', 'The last line does not end.'],
  ])('reject malformed text: %j', (text, error) => {
    expect(() => prometheusFamilies(text)).toThrow(error);
  });
});
