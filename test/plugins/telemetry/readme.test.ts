import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readGatewayFile } from '../../../compiler/cli/files/read-gateway-file.ts';
import type { StorePart } from '../../../plugins/sdk/control-plane/store-status.ts';
import { createHooks } from '../../../plugins/sdk/hooks/hooks.ts';
import { createMetrics } from '../../../plugins/telemetry/metrics/create-metrics.ts';
import { Families } from '../../../plugins/telemetry/metrics/families.ts';
import { gatewayFamilies } from '../../../plugins/telemetry/metrics/gateway-families.ts';
import { tapHooks } from '../../../plugins/telemetry/metrics/tap-hooks.ts';

const readme = readFileSync(path.join(import.meta.dirname, '../../../plugins/telemetry/README.md'), 'utf8');

const words = (cell = ''): readonly string[] => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, word = '']) => word);

/** The rows of the table of metrics: the names, and the labels without the values in brackets. */
const rows = (): readonly { readonly names: readonly string[]; readonly labels: readonly string[] }[] =>
  readme
    .split('\n')
    .slice(readme.split('\n').findIndex((line) => line.startsWith('| `gatewright_…`')) + 2)
    .filter((_line, at, all) => all.slice(0, at + 1).every((each) => each.startsWith('|')))
    .map((line) => line.split('|'))
    .map(([, names, labels]) => ({ names: words(names), labels: words(labels?.replaceAll(/\([^)]*\)/g, '')) }));

const overload = { status: () => ({ admitted: 1, targets: [] }), counts: () => [] };

describe('the telemetry README', () => {
  it('contains a valid gateway file', () => {
    const [, text = ''] = /```json\n([^`]*)```/.exec(readme) ?? [];
    const { settings, diagnostics } = readGatewayFile(text, 'gateway.json');
    expect(diagnostics).toEqual([]);
    expect(settings).toMatchObject({ metrics: true, telemetry: { otlp: { url: 'http://localhost:4318' } } });
  });

  it('names exactly the metrics that exist', async () => {
    const metrics = await createMetrics({
      now: () => 0,
      tokens: 'known',
      inFlight: () => 0,
      droppedRecords: () => 0,
      sinks: () => [],
      alerts: () => [],
      unavailableParts: () => new Set<StorePart>(),
      overload,
    });
    const { text } = await metrics.read();
    const own = [...text.matchAll(/^# TYPE gatewright_([a-z_]+) /gm)].flatMap(([, name = '']) =>
      /^(process|nodejs)_/.test(name) ? [] : [name],
    );
    const named = rows().flatMap(({ names }) => names);
    expect(named.toSorted()).toEqual(own.toSorted());
  });

  it('describes metrics that are each counted by a hook', () => {
    const facts = {
      inFlight: () => 0,
      droppedRecords: () => 0,
      sinks: () => [],
      alerts: () => [],
      unavailableParts: () => new Set<StorePart>(),
      overload,
    };
    const families = gatewayFamilies(new Families(), facts);
    const counted = new Set<string | symbol>();
    const noting = new Proxy(families, {
      get: (target, name, receiver) => {
        counted.add(name);
        return Reflect.get(target, name, receiver);
      },
    });
    tapHooks(createHooks(), noting, { now: () => 0, tokens: 'all' });
    const idle = Object.keys(families).filter((name) => !counted.has(name));
    expect(idle, 'Count it in metrics/tap-hooks.ts.').toEqual([]);
  });

  it('names exactly the labels of each metric', () => {
    const families = new Families();
    const made = (['counter', 'histogram', 'gauges', 'totals'] as const).map((kind) => vi.spyOn(families, kind));
    const facts = {
      ...{ inFlight: () => 0, droppedRecords: () => 0, sinks: () => [] },
      ...{ alerts: () => [], unavailableParts: () => new Set<StorePart>(), overload },
    };
    gatewayFamilies(families, facts);
    const labels = new Map(made.flatMap(({ mock }) => mock.calls.map(([family]) => [family.name, family.labels])));
    for (const { names, labels: listed } of rows()) {
      const own = new Set(names.flatMap((name) => labels.get(name) ?? []));
      expect(new Set(listed), `the labels of ${names.join(', ')}`).toEqual(own);
    }
  });

  it.each([
    [{ metrics: 'yes' }, '/metrics'],
    [{ metrics: { prot: 9464 } }, '/metrics/prot'],
    [{ metrics: { tokens: 'known' } }, '/metrics/tokens'],
    [{ telemetry: {} }, '/telemetry'],
    [{ telemetry: { otlp: { url: 'localhost:4318' } } }, '/telemetry/otlp/url'],
    [{ telemetry: { otlp: { url: 'http://x:1', headers: { a: 'a secret' } } } }, '/telemetry/otlp/headers/a'],
  ])('correctly calls %j invalid', (file, pointer) => {
    const { diagnostics } = readGatewayFile(JSON.stringify(file), 'gateway.json');
    expect(diagnostics.map((each) => each.pointer)).toContain(pointer);
  });
});
