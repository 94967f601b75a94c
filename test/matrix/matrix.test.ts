import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../support/upstream-server.ts';
import { declaredLosses } from './cells/declared-losses.ts';
import { judgeCell } from './cells/judge-cell.ts';
import { createTable } from './cells/matrix-table.ts';
import { runCell } from './cells/run-cell.ts';
import { vendorDrivers } from './clients/client-drivers.ts';
import { withoutRefusal } from './clients/expected.ts';
import { type Family, families } from './families.ts';
import { type Scenario, scenarios } from './scenario.ts';

let gateway: GatewayProcess;
let server: TestUpstream;
const table = createTable();

/** Families whose formats have no word for a refusal answer with a text like any other. */
const judged = (scenario: Scenario, { upstream }: Family): Scenario =>
  upstream.dialect === 'cohere' ? { ...scenario, answer: withoutRefusal(scenario.answer) } : scenario;

beforeAll(async () => {
  [gateway, server] = await Promise.all([startGateway(), startUpstream()]);
});
afterAll(async () => {
  await gateway.stop();
  await server.close();
});

describe.each(families)('$id', (family) => {
  it.each(vendorDrivers)('answers $library', async (driver) => {
    const { upstream } = family;
    const headers = { 'x-gw-config': JSON.stringify(family.config(server.origin)) };
    const declared = declaredLosses(family, driver.dialect);
    for (const scenario of scenarios) {
      const reason = driver.cannot?.[scenario.id];
      for (const stream of reason === undefined ? [false, true] : []) {
        const options = { origin: gateway.origin, headers, stream };
        const result = await runCell({ driver, upstream, server, scenario, options });
        const { lost, faults } = judgeCell(judged(scenario, family), driver, { ...result, declared });
        expect.soft(faults, `${scenario.id}, stream: ${stream}`).toEqual([]);
        table.add({
          client: driver.dialect,
          family: family.id,
          scenario: scenario.id,
          lost,
          isBroken: faults.length > 0,
        });
      }
    }
  });
});

it('gives the table in MATRIX.md', async () => {
  await expect(table.text()).toMatchFileSnapshot('../MATRIX.md');
});
