import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../support/upstream-server.ts';
import { isAskedBy } from './cells/declared-losses.ts';
import { judgeCell } from './cells/judge-cell.ts';
import { createTable } from './cells/matrix-table.ts';
import { runCell } from './cells/run-cell.ts';
import { vendorDrivers } from './clients/client-drivers.ts';
import { families } from './families.ts';
import { knownFault } from './known-faults.ts';
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
      const fails = knownFault({ ...place, stream }) !== undefined;
      it(`${scenario.id}, ${stream ? 'streamed' : 'whole'}`, { fails }, async () => {
        const add = table.open(place);
        const headers = { 'x-gw-config': JSON.stringify(family.config(server.origin)) };
        // Where both speak the same dialect, the body goes through as it is.
        const model = client.dialect === family.upstream.dialect ? { model: family.model } : {};
        const options = { origin: gateway.origin, headers, stream, ...model };
        const result = await runCell({ client, family, server, scenario, options });
        const verdict = judgeCell({ client, family, scenario, stream, ...result });
        expect(verdict.faults, `The client was told that this was lost: ${result.told.dropped.join(', ')}`).toEqual([]);
        add(verdict);
      });
    }
  });
});

it('gives the table in MATRIX.md', async () => {
  await expect(table.text()).toMatchFileSnapshot('../MATRIX.md');
});
