import type { TestUpstream } from '../../support/upstream-server.ts';
import type { AskOptions, ClientDriver } from '../clients/client-driver.ts';
import type { Heard, Scenario, Told } from '../scenario.ts';
import type { UpstreamDriver } from '../upstreams/upstream-driver.ts';

export interface CellRun {
  readonly driver: ClientDriver;
  readonly upstream: UpstreamDriver;
  readonly server: TestUpstream;
  readonly scenario: Scenario;
  readonly options: AskOptions;
}

export interface CellResult {
  readonly told: Told;
  /** What the provider understood; undefined if it was not asked. */
  readonly heard?: Heard;
}

/** Asks once through the gateway. Throws what the provider refuses of the request. */
export const runCell = async ({ driver, upstream, server, scenario, options }: CellRun): Promise<CellResult> => {
  let heard: Heard | undefined;
  let refused: unknown;
  server.handle((call) => {
    try {
      heard = upstream.hear(call.request);
      upstream.answer(call, scenario.answer, heard.stream);
    } catch (thrown) {
      refused = thrown;
      upstream.answer(call, { kind: 'error', status: 400, message: String(thrown) }, options.stream);
    }
  });
  const told = await driver.ask(scenario, options);
  if (refused !== undefined) throw refused;
  return { told, ...(heard && { heard }) };
};
