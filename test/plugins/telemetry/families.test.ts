import fc from 'fast-check';
import client from 'prom-client';
import { describe, expect, it } from 'vitest';
import { Families } from '../../../plugins/telemetry/metrics/families.ts';

const labels = ['plan', 'target'] as const;
const buckets = [0.1, 1, 2.5];

/** A label value: often a repeated one, or one with characters that have a meaning in the format. */
const label = fc.oneof(fc.constantFrom('main', 'second', '', '7', 'a"b', 'a\\b', 'a\nb', '__proto__'), fc.string());
const seconds = fc.oneof(fc.constantFrom(...buckets, 0, 1e-9, 3, 1e21), fc.double({ noNaN: true, min: -10, max: 1e9 }));

type Event =
  | { readonly kind: 'counted'; readonly at: readonly [string, string]; readonly by: number }
  | { readonly kind: 'observed'; readonly at: readonly [string, string]; readonly value: number };

const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('counted' as const),
      at: fc.tuple(label, label),
      by: fc.oneof(fc.nat(), fc.double({ noNaN: true, min: 0, max: 1e9 })),
    }),
    fc.record({ kind: fc.constant('observed' as const), at: fc.tuple(label, label), value: seconds }),
  ),
);

const facts = { help: 'What it is "for",\nand \\ why.', labels: [...labels] };

/** The text written by the gateway's own counters. */
const own = (recorded: readonly Event[], gauge: number): string => {
  const families = new Families();
  const counts = families.counter({ ...facts, labels, name: 'events_total' });
  const durations = families.histogram({ ...facts, labels, name: 'duration_seconds', buckets });
  families.gauge({ name: 'running', help: 'Now.', read: () => gauge });
  families.total({ name: 'dropped_total', help: 'Ever.', read: () => gauge });
  for (const event of recorded) {
    const [plan, target] = event.at;
    if (event.kind === 'counted') counts.at('plan', plan).at('target', target).cell.value += event.by;
    else durations.at('plan', plan).at('target', target).cell.observe(event.value);
  }
  return families.text();
};

/** The text that prom-client writes for the same events. */
const plain = async (recorded: readonly Event[], gauge: number): Promise<string> => {
  const registers = [new client.Registry()];
  const counts = new client.Counter({
    name: 'gatewright_events_total',
    help: facts.help,
    labelNames: labels,
    registers,
  });
  const durations = new client.Histogram({
    name: 'gatewright_duration_seconds',
    help: facts.help,
    labelNames: labels,
    buckets,
    registers,
  });
  new client.Gauge({ name: 'gatewright_running', help: 'Now.', registers }).set(gauge);
  new client.Counter({ name: 'gatewright_dropped_total', help: 'Ever.', registers }).inc(gauge);
  for (const event of recorded) {
    const [plan, target] = event.at;
    if (event.kind === 'counted') counts.inc({ plan, target }, event.by);
    else durations.observe({ plan, target }, event.value);
  }
  return registers[0]?.metrics() ?? '';
};

describe('a metric with named labels', () => {
  it('accepts each label once, in order, before it is counted', () => {
    const counts = new Families().counter({ ...facts, labels, name: 'events_total' });
    counts.at('plan', 'main').at('target', 'a').cell.value += 1;
    // @ts-expect-error: the label "target" is left out.
    const { cell } = counts.at('plan', 'main');
    // @ts-expect-error: "origin" is no label of it.
    counts.at('origin', 'main');
    expect(cell).toEqual({ value: 0 });
  });
});

describe('metric families', () => {
  it('are written exactly as prom-client writes the same events', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.nat(), async (recorded, gauge) => {
        expect(own(recorded, gauge)).toBe(await plain(recorded, gauge));
      }),
      { numRuns: 300 },
    );
  });
});
