import { describe, expect, it } from 'vitest';
import { declaredMetrics } from '../../../deploy/monitoring/declared-metrics.ts';
import { scopes } from '../../../plugins/control/kernel/requests/scopes.ts';
import { prefix } from '../../../plugins/telemetry/metrics/families.ts';
import { listOperations } from '../../../tools/reference/open-api-document.ts';
import { blocksBelow, headings, pages } from './support.ts';

const api = [...pages].filter(([page]) => page.startsWith('api/')).map(([, text]) => text);

describe('the reference of the HTTP API', () => {
  it('has every operation of the OpenAPI document', () => {
    const operations = listOperations().filter(({ path }) => path !== '/openapi.json');
    expect(operations.length).toBeGreaterThan(150);
    const missing = operations.filter(({ method, path, operation }) => {
      const heading = `${method} ${Array.isArray(operation.servers) ? path : `/v1${path}`}`;
      return !api.some((text) => text.includes(`\`${heading}\``));
    });
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('has examples that send forms as curl builds them, with a boundary', () => {
    const files = pages.get('api/files.md') ?? '';
    expect(files).toContain(
      `curl 'http://127.0.0.1:8787/v1/files' -H "x-gw-api-key: $GW_API_KEY" -F purpose=batch -F file=@FILE`,
    );
    for (const text of api) expect(text).not.toContain("-H 'content-type: multipart/form-data'");
  });

  it('has examples that are shell commands with valid JSON', () => {
    const examples = blocksBelow('api/', 'sh');
    expect(examples.length).toBeGreaterThan(100);
    for (const { page, text } of examples) {
      expect(text, page).toMatch(/^curl .*http:\/\/127\.0\.0\.1:8787\/[^{}<>]*'? /);
      const [, data] = / -d '(.*)'$/s.exec(text) ?? [];
      if (data !== undefined) expect(() => JSON.parse(data.replaceAll("'\\''", "'")), text).not.toThrow();
    }
  });
});

it('the reference of scopes has every scope with what it allows', () => {
  const page = pages.get('scopes.md') ?? '';
  for (const scope of scopes) expect(page).toMatch(new RegExp(`^\\| \`${scope.replace('.', '\\.')}\` \\| \\S`, 'm'));
});

it('the reference of metrics has every metric with its labels', async () => {
  const page = pages.get('metrics.md') ?? '';
  const declared = await declaredMetrics();
  expect(headings('metrics.md')).toEqual(declared.map(({ name }) => name));
  for (const { name, labels, help } of declared) {
    expect(name.startsWith(prefix)).toBe(true);
    const entry = page.split(`\n## \`${name}\`\n`)[1]?.split('\n## ')[0];
    expect(help.length).toBeGreaterThan(10);
    for (const label of labels) expect(entry).toContain(`\`${label}\``);
  }
});
