import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtinCaches } from '../../../plugins/caches/builtin-caches.ts';
import type { CacheServices, ResponseCache } from '../../../plugins/sdk/cache/cache.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { testCache } from '../../../plugins/testkit/test-cache.ts';
import schema from '../../../schema/config.schema.json' with { type: 'json' };

const opened = (mode: string, timers: CacheServices['timers']): ResponseCache | undefined =>
  builtinCaches
    .find((each) => each.mode === mode)
    ?.create(
      { maxBytes: 1024 * 1024 },
      { timers, http: { send: () => expect.unreachable() }, cache: (other) => opened(other, timers) },
    );

describe('the built-in cache modes', () => {
  it('are those that a config can specify, and are listed in the README', () => {
    const modes = builtinCaches.map(({ mode }) => mode);
    expect(modes, 'sorted by mode').toEqual(modes.toSorted());
    const named = schema.definitions.cache.properties.mode.enum;
    expect(named.toSorted(), 'The modes in schema/config.schema.json are those of builtin-caches.ts.').toEqual(modes);
    const readme = readFileSync(path.join(import.meta.dirname, '../../../plugins/caches/README.md'), 'utf8');
    const rows = modes.filter((mode) => readme.includes(`\n| \`${mode}\` | `));
    expect(rows, 'The modes with a row in plugins/caches/README.md are those of builtin-caches.ts.').toEqual(modes);
  });

  it.each(builtinCaches.map(({ mode }) => mode))('%s keeps the cache contract', async (mode) => {
    const clock = createVirtualClock();
    const open = () => opened(mode, clock) ?? expect.unreachable();
    await testCache(mode, { open, pass: (seconds) => clock.advance(seconds * 1000) });
  });
});
