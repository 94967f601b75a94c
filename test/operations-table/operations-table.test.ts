import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtinDialects } from '../../plugins/dialects/builtin-dialects.ts';
import { sharedStore } from '../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../support/servers/upstream-server.ts';
import { operationSamples } from './samples.ts';
import { type OperationRow, tryOperation } from './try-operation.ts';

const served = sharedStore();
let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());

const clients = builtinDialects.filter(({ routes = [] }) => routes.length > 0);
const rows = new Map<string, OperationRow>();

it('every dialect with clients has a sample', () => {
  const lacking = clients.filter(({ id }) => operationSamples[id] === undefined);
  expect(
    lacking.map(({ id }) => id),
    'Add a request and its answer to test/operations-table/samples.ts.',
  ).toEqual([]);
});

it.each(clients.map((dialect) => [dialect.id, dialect] as const))(
  '%s requests are served until a rate limit refuses them',
  async (id, dialect) => {
    const sample = operationSamples[id] ?? expect.unreachable();
    rows.set(id, await tryOperation({ dialect, sample, gateway: served(), upstream }));
  },
);

const toTable = (): string => {
  const columns = Object.keys([...rows.values()][0] ?? {});
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(['operation', 'dialect', ...columns]),
    line(['---', '---', ...columns.map(() => '---')]),
    ...clients.map(({ id, operation }) =>
      line([operation, `\`${id}\``, ...columns.map((name) => rows.get(id)?.[name] ?? '')]),
    ),
  ].join('\n');
};

const intro = `# The table of operations

How each request to a model is treated, in every dialect that has clients: by checks that may deny, in retries and fallbacks, by
the cache, in the log, and by limits. Each row was tried over HTTP, with a gateway with a store and a provider that speaks the
dialect.

Checks: *judged* are the texts of it; *refused* is what has something that no check can read, such as a sound, and *nothing to
judge* what has no texts. Retries and fallbacks: the status after a first answer of 503, and how many requests the provider got. The
log has usage that the provider *reported*, or what was *estimated* by the texts; *none* where nobody knows.
\`vitest run test/operations-table -u\` writes this file.
`;

it('the results match the table in OPERATIONS.md', async () => {
  await expect(`${intro}\n${toTable()}\n`).toMatchFileSnapshot('../OPERATIONS.md');
});
