import type { ReceivedRequest, TestUpstream } from '../../support/servers/upstream-server.ts';
import type { AskOptions, ClientDriver } from '../clients/client-driver.ts';
import { toScript } from '../clients/expected.ts';
import type { Family } from '../families.ts';
import type { Heard, Received, Scenario } from '../scenario.ts';
import { clientHeaders } from './declared-losses.ts';

export interface CellRun {
  readonly client: ClientDriver;
  readonly family: Family;
  /** The server of the family. */
  readonly server: TestUpstream;
  readonly scenario: Scenario;
  readonly options: AskOptions;
}

export interface CellResult {
  readonly received: Received;
  /** What the provider understood of each request, or why it rejected one. */
  readonly heard: readonly (Heard | Error)[];
  /** Whether the provider reported when to retry. */
  readonly sendsRetryAfter: boolean;
  /** Whether the provider's first answer proved its reasoning. */
  readonly proves: boolean;
}

/** Throws if a request is not at the path or without the headers that the provider expects. */
const checkHead = (request: ReceivedRequest, { family, client, options }: CellRun): void => {
  if (request.path !== family.path(options.stream)) throw new Error(`${family.id} has nothing at ${request.path}.`);
  const own = clientHeaders(family, client.dialect);
  for (const [name, pattern] of Object.entries(family.headers)) {
    const value = request.header(name) ?? '';
    if (!own.includes(name) && !pattern.test(value))
      throw new Error(`${family.id} does not accept the header ${name}: ${value}`);
  }
};

/** Sends the requests of all steps of the scenario through the gateway. */
export const runCell = async (run: CellRun): Promise<CellResult> => {
  const { client, family, server, scenario, options } = run;
  const { upstream } = family;
  const script = toScript(scenario);
  const heard: (Heard | Error)[] = [];
  let proves = false;
  let sendsRetryAfter = false;
  let error: unknown;
  server.handle((call) => {
    try {
      checkHead(call.request, run);
    } catch (thrown) {
      error = thrown;
    }
    try {
      const answer = script[heard.length];
      const understood = upstream.hear(call.request);
      if (answer === undefined) throw new Error(`It was asked ${heard.length + 1} times.`);
      if (heard.length === 0) proves = upstream.proves(call.request);
      sendsRetryAfter = upstream.sendsRetryAfter(call.request);
      heard.push(understood);
      upstream.answer(call, answer, understood.stream);
    } catch (thrown) {
      const refusal = thrown instanceof Error ? thrown : new Error(String(thrown));
      heard.push(refusal);
      call.json({ error: { message: refusal.message } }, { status: 400 });
    }
  });
  const received = await client.ask(scenario, options);
  if (error !== undefined) throw error;
  if (heard.length === 0)
    throw new Error(`${family.id} was not asked; the client received ${JSON.stringify(received)}`);
  return { received, heard, proves, sendsRetryAfter };
};
