import type { ReceivedRequest, TestUpstream } from '../../support/upstream-server.ts';
import type { AskOptions, ClientDriver } from '../clients/client-driver.ts';
import type { Family } from '../families.ts';
import type { Heard, Scenario, Told } from '../scenario.ts';
import { clientHeaders } from './declared-losses.ts';

export interface CellRun {
  readonly client: ClientDriver;
  readonly family: Family;
  /** Where the family is served. */
  readonly server: TestUpstream;
  readonly scenario: Scenario;
  readonly options: AskOptions;
}

export interface CellResult {
  readonly told: Told;
  /** What the provider understood of the last request, or why it refused one. */
  readonly heard: Heard | Error;
  /** Whether its first answer proved its reasoning. */
  readonly proves: boolean;
}

/** Throws if a request is not where and from whom the provider expects it. */
const checkHead = (request: ReceivedRequest, { family, client, options }: CellRun): void => {
  if (request.path !== family.path(options.stream)) throw new Error(`${family.id} has nothing at ${request.path}.`);
  const own = clientHeaders(family, client.dialect);
  for (const [name, pattern] of Object.entries(family.headers)) {
    const value = request.header(name) ?? '';
    if (!own.includes(name) && !pattern.test(value))
      throw new Error(`${family.id} does not accept the header ${name}: ${value}`);
  }
};

/** Asks through the gateway, once or in the scenario's two steps. */
export const runCell = async (run: CellRun): Promise<CellResult> => {
  const { client, family, server, scenario, options } = run;
  const { upstream } = family;
  let heard: CellResult['heard'] | undefined;
  let proves = false;
  let fault: unknown;
  server.handle((call) => {
    try {
      checkHead(call.request, run);
    } catch (thrown) {
      fault = thrown;
    }
    try {
      const isNext = heard !== undefined;
      const understood = upstream.hear(call.request);
      if (!isNext) proves = upstream.proves(call.request);
      heard = understood;
      const answer = isNext && scenario.next !== undefined ? scenario.next.answer : scenario.answer;
      upstream.answer(call, answer, understood.stream);
    } catch (thrown) {
      heard = thrown instanceof Error ? thrown : new Error(String(thrown));
      call.json({ error: { message: heard.message } }, { status: 400 });
    }
  });
  const told = await client.ask(scenario, options);
  if (fault !== undefined) throw fault;
  if (heard === undefined) throw new Error(`${family.id} was not asked; the client was told ${JSON.stringify(told)}`);
  return { told, heard, proves };
};
