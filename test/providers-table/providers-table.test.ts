import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinDialects } from '../../plugins/dialects/builtin-dialects.ts';
import { builtinProviders } from '../../plugins/providers/builtin-providers.ts';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { operations } from '../../plugins/sdk/exchange/operations.ts';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../support/servers/upstream-server.ts';
import { vendorOf } from './clients/official-clients.ts';
import { findAddress } from './find-address.ts';
import { savedProviders, secrets, toSlug } from './saved-providers.ts';
import { seen, seenVendor } from './sdks/seen.ts';
import { compareWithVendor, tryCell } from './try-cell.ts';
import { tryPassing } from './try-passing.ts';
import { operationsTable, requestsTable, type TableCell } from './write-table.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({
    files: { 'gateway.json': { providers: savedProviders(builtinProviders, upstream.origin) } },
    env: secrets,
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const dialectOf = (id: string): Dialect =>
  builtinDialects.find((each) => each.id === id) ?? expect.unreachable(`There is no dialect ${id}.`);

const cells: TableCell[] = [];

const listed = builtinProviders.map((provider) => [provider.id, provider] as const);
const speaking = listed.filter(([, { speaks }]) => Object.keys(speaks).length > 0);
const passing = listed.filter(([, { speaks }]) => Object.keys(speaks).length === 0);

describe.each(speaking)('%s', (id, provider) => {
  it.each(Object.keys(provider.speaks))('receives %s requests as its vendor documents them', async (format) => {
    const dialect = dialectOf(format);
    const config = { provider: `@${toSlug(provider)}` };
    const cell = { provider, dialect, gateway: gateway.origin, config, upstream };
    const { request, client } = await tryCell(cell);
    const own = vendorOf(id, format);
    if (own !== undefined && request !== undefined) await compareWithVendor(cell, own, request);
    const vendor = own?.library ?? seenVendor(id, format);
    const address = request === undefined ? '' : await findAddress(provider, request);
    cells.push({ provider, dialect: format, operation: dialect.operation, client, vendor, request, address });
  });
});

it.each(passing)('%s receives an unmodelled request at its own path, with its own credential', (_, provider) =>
  tryPassing({ provider, gateway: gateway.origin, upstream }),
);

it('seen.json lists only existing providers and formats', () => {
  const gone = Object.entries(seen).flatMap(([id, formats]) =>
    Object.keys(formats)
      .filter((format) => builtinProviders.find((provider) => provider.id === id)?.speaks[format] === undefined)
      .map((format) => `${id}: ${format}`),
  );
  expect(gone, 'Run npm run providers:sdks -- --write.').toEqual([]);
});

const intro = `# The table of providers

Each provider in each format that it speaks, through one gateway, over HTTP. What it got was heard as strictly as its vendor
documents it: the method, the credential, the type, and members that the vendor knows; and the client read its answer.

Left of the arrow is who asked through the gateway and read what came back: a library, or *plain* for a request that was written
by hand. Right of it is who says that the vendor's own server would take it:

- A library of the vendor, or of the maker of the model, which asked the same server for the same without the gateway. What both
  sent was equal in path, type and body, but for members that the library always writes out (\`writesOut\` in
  \`providers-table\`), and it read the same answer. InvokeModel takes bodies as they are, so that it speaks for the path and the
  signature alone.
- The vendor's own server, as \`litellm[proxy]\`: it took what the gateway sent, and the client read its answer.
- One with a version did so by \`npm run providers:sdks\`, which installs it from npm or PyPI; all others do whenever the tests run.
- *documented*: the documentation alone, which the provider's row names. The second table has the addresses.
- *unconfirmed*: no documentation was found that says the address or the operation.

A provider without an operation of its own gets every request as it came: *passed through*.
\`vitest run test/providers-table -u\` writes this file.
`;

it('the results match the tables in PROVIDERS.md', async () => {
  const names = Object.keys(operations).filter((name) => name !== 'opaque');
  const text = [
    intro,
    `${operationsTable(builtinProviders, cells, names)}\n`,
    '## What the providers get\n',
    `${requestsTable(cells)}\n`,
  ].join('\n');
  await expect(text, 'Run npx vitest run test/providers-table -u.').toMatchFileSnapshot('../PROVIDERS.md');
});
