import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import {
  answerHeaderDescriptions,
  requestHeaderDescriptions,
} from '../../../runtime/control-routes/open-api/header-descriptions.ts';
import { CallerHeaders } from '../../../runtime/http/headers/caller-headers.ts';
import { headerTable } from '../../../runtime/http/headers/header-table.ts';
import { knownHeaders } from '../../../runtime/http/headers/known-headers.ts';
import { reservedHeaders } from '../../../runtime/http/headers/reserved-headers.ts';
import { headings, pages } from './support.ts';

const page = pages.get('headers.md') ?? '';
const root = path.join(import.meta.dirname, '../../..');

describe('the reference of headers', () => {
  it('has every header that the gateway reads', () => {
    const reserved = new Set(reservedHeaders);
    const known = [...knownHeaders(builtinPlugins).names].filter((name) => !reserved.has(name));
    expect(known.length).toBeGreaterThan(40);
    expect(known.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('has an entry with a valid example for each header that determines how a request is served', () => {
    for (const [short, { example }] of Object.entries(requestHeaderDescriptions)) {
      const name = `x-gw-${short}`;
      expect(headings('headers.md')).toContain(name);
      expect(page).toContain(`\n${name}: ${example}\n`);
      const row = headerTable.find((each) => each.name === name);
      expect(row, name).toBeDefined();
      expect(() => row?.take(new CallerHeaders(), example)).not.toThrow();
    }
  });

  it('has every response header that the sources name', () => {
    const found = globSync('{runtime/engine,runtime/http/answer,runtime/usage,plugins/control/work}/**/*.ts', {
      cwd: root,
    })
      .filter((file) => !file.includes('/headers/header-table'))
      .flatMap((file) => [...readFileSync(path.join(root, file), 'utf8').matchAll(/'(x-gw-[a-z-]+[a-z])'/g)])
      .map(([, name = '']) => name)
      .filter((name) => !page.includes(`\`${name}\``));
    expect([...new Set(found)]).toEqual([]);
    for (const name of Object.keys(answerHeaderDescriptions))
      expect(headings('headers.md').some((heading) => heading === name || heading === `Answer: ${name}`)).toBe(true);
  });
});
