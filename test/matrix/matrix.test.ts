import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../support/upstream-server.ts';
import { askCell } from './cells/ask-cell.ts';
import { isAskedBy } from './cells/declared-losses.ts';
import { createTable } from './cells/matrix-table.ts';
import { vendorDrivers } from './clients/client-drivers.ts';
import { families } from './families.ts';
import { scenarios } from './scenarios.ts';

let gateway: GatewayProcess;
const table = createTable();

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

describe.each(families)('$id', (family) => {
  let server: TestUpstream;
  beforeAll(async () => {
    server = await startUpstream();
  });
  afterAll(() => server.close());

  const clients = vendorDrivers.filter(({ dialect }) => isAskedBy(family, dialect));
  describe.each(clients)('answers $library', (client) => {
    const asked = scenarios.filter(({ id }) => client.cannot?.[id] === undefined);
    const cases = asked.flatMap((scenario) => [false, true].map((stream) => ({ scenario, stream })));

    for (const { scenario, stream } of cases) {
      const place = { client: client.dialect, family: family.id, scenario: scenario.id };
      it(`${scenario.id}, ${stream ? 'streamed' : 'whole'}`, async () => {
        const add = table.open(place);
        const verdict = await askCell({ origin: gateway.origin, client, family, server, scenario, stream });
        expect(verdict.faults, verdict.told).toEqual([]);
        add(verdict);
      });
    }
  });
});

it('gives the table in MATRIX.md', async () => {
  await expect(table.text()).toMatchFileSnapshot('../MATRIX.md');
});
