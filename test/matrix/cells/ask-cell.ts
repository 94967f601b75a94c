import type { TestUpstream } from '../../support/servers/upstream-server.ts';
import type { ClientDriver } from '../clients/client-driver.ts';
import type { Family } from '../families.ts';
import type { Scenario } from '../scenario.ts';
import { judgeCell, type Verdict } from './judge-cell.ts';
import { runCell } from './run-cell.ts';

export interface AskedCell {
  /** The gateway's origin. */
  readonly origin: string;
  readonly client: ClientDriver;
  readonly family: Family;
  /** The server of the family. */
  readonly server: TestUpstream;
  readonly scenario: Scenario;
  readonly stream: boolean;
}

/** Sends the requests through the gateway with a config for the family, and judges the result. */
export const askCell = async ({
  origin,
  server,
  ...cell
}: AskedCell): Promise<Verdict & { readonly received: string }> => {
  const { client, family, scenario, stream } = cell;
  const headers = { 'x-gw-config': JSON.stringify(family.config(server.origin)) };
  // If both use the same dialect, the body is passed through unchanged.
  const model = client.dialect === family.upstream.dialect ? { model: family.model } : {};
  const options = { origin, headers, stream, retries: scenario.refused === undefined ? 0 : 1, ...model };
  const result = await runCell({ client, family, server, scenario, options });
  const received = `The gateway reported to the client that this was lost: ${result.received.dropped.join(', ')}`;
  return { ...judgeCell({ ...cell, ...result }), received };
};
