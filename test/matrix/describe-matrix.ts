import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';
import { isSampled, thinned } from '../support/run/sampled-pairs.ts';
import { startUpstream, type TestUpstream } from '../support/servers/upstream-server.ts';
import type { AskedCell } from './cells/ask-cell.ts';
import { isAskedBy } from './cells/declared-losses.ts';
import { readSection, type Section, writeSection } from './cells/matrix-section.ts';
import { createTable } from './cells/matrix-table.ts';
import { saidCells } from './cells/said-cells.ts';
import { type Settled, settleCell } from './cells/settle-cell.ts';
import type { ClientDriver } from './clients/client-driver.ts';
import { families } from './families.ts';
import type { Scenario } from './scenario.ts';

interface Matrix {
  readonly section: Section;
  readonly clients: readonly ClientDriver[];
  readonly scenarios: readonly Scenario[];
}

type Cell = Omit<AskedCell, 'origin' | 'server'>;

const settleAlone = async (origin: string, cell: Cell): Promise<Settled> => {
  const server = await startUpstream();
  try {
    return await settleCell({ ...cell, origin, server });
  } finally {
    await server.close();
  }
};

const writes = process.env.MATRIX_WRITE === '1';

/**
 * Each library is tried with each provider: with a different part of the scenarios each day, or with all of them when the
 * tables are written.
 */
const isTried = (pairAt: number, scenarioAt: number): boolean => writes || isSampled(pairAt, scenarioAt, 3);
const isWhole = writes || thinned(3) === 1;

/** Tests the cells and compares them with MATRIX.md, which is written with `MATRIX_WRITE=1`. */
export const describeMatrix = ({ section, clients, scenarios }: Matrix): void => {
  const table = createTable(scenarios.map(({ id }) => id));
  /** Libraries wait before they retry, so these cells have their own servers and start before all others. */
  const waiting = new Map<Cell, Promise<Settled>>();
  const slow: Cell[] = [];
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await startGateway();
    for (const cell of slow) waiting.set(cell, settleAlone(gateway.origin, cell));
  });
  afterAll(() => gateway.stop());

  describe.each(clients.map((client, at) => [client.library, client, at] as const))(
    '%s',
    (_library, client, clientAt) => {
      const asked = families.filter((family) => isAskedBy(family, client.dialect));
      describe.each(asked.map((family, at) => [family.id, family, clientAt + at] as const))(
        'with the provider %s',
        (_id, family, pairAt) => {
          let server: TestUpstream;
          beforeAll(async () => {
            server = await startUpstream();
          });
          afterAll(() => server.close());

          const cells = scenarios
            .filter((_, scenarioAt) => isTried(pairAt, scenarioAt))
            .flatMap((scenario) => [false, true].map((stream): Cell => ({ client, family, scenario, stream })));
          slow.push(...cells.filter(({ scenario }) => scenario.refused !== undefined));
          for (const cell of cells) {
            const { scenario, stream } = cell;
            const variant = stream ? 'streamed' : 'whole';
            const settle = table.open({ library: client.library, family: family.id, scenario: scenario.id, variant });
            it(`has the expected outcome in the scenario ${scenario.id}, ${variant}`, async () => {
              const settled = await (waiting.get(cell) ?? settleCell({ ...cell, origin: gateway.origin, server }));
              if ('error' in settled) throw new Error(settled.error);
              settle(settled.outcome);
            });
          }
        },
      );
    },
  );

  it('the results match the tables in MATRIX.md', () => {
    const text = table.text();
    if (writes) writeSection(section, text);
    if (isWhole) expect(text).toBe(readSection(section));
    const written = saidCells(readSection(section));
    const said = [...saidCells(text)];
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter(([place, words]) => written.get(place) !== words)).toEqual([]);
  });
};
