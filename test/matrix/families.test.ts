import { describe, expect, it } from 'vitest';
import { families } from './families.ts';
import { scenarios } from './scenarios.ts';
import { upstreamDrivers } from './upstreams/upstream-drivers.ts';

describe('the providers of the matrix', () => {
  it('have unique ids', () => {
    expect(new Set(families.map(({ id }) => id)).size).toBe(families.length);
  });

  it('support every format that has a driver', () => {
    expect(new Set(families.map(({ upstream }) => upstream.dialect))).toEqual(new Set(upstreamDrivers.keys()));
  });

  it('lack only features that have a scenario', () => {
    const known = scenarios.map(({ id }) => id);
    for (const { lacks } of families) for (const id of lacks) expect(known).toContain(id);
  });

  it.each(families)('have a request path below their base URL: $id', ({ config, path }) => {
    const { custom_host: base } = config('http://127.0.0.1:1');
    expect(`http://127.0.0.1:1${path(false)}`.startsWith(String(base))).toBe(true);
  });
});
