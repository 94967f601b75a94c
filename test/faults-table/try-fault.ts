import { expect } from 'vitest';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { operationSamples } from '../operations-table/samples.ts';
import { toRoute, toTarget } from '../operations-table/to-target.ts';
import type { GatewayProcess } from '../support/gateways/gateway-process.ts';
import { readStream, readWhole, type UnderstoodAnswer } from './conversations.ts';
import { type Fault, words } from './faults.ts';

export interface FaultTrial {
  readonly fault: Fault;
  readonly dialect: Dialect;
  readonly streams: boolean;
  readonly gateway: GatewayProcess;
  /** The hosts of the provider that has the fault and of the provider after it. */
  readonly hosts: { readonly faulty: string; readonly well: string };
  /** The dialect of the provider after the faulty one. */
  readonly other: Dialect;
  /** Members of the fallback's strategy. */
  readonly strategy: JsonObject;
}

const toBody = ({ id, routes = [] }: Dialect, streams: boolean): JsonObject => {
  const body = (operationSamples[id] ?? expect.unreachable()).request('Count to four.');
  if (body instanceof FormData) return expect.unreachable();
  return routes.every(({ stream }) => stream === undefined) ? { ...body, stream: streams } : body;
};

const said = { faulty: words.faulty.join(''), well: words.well.join('') };

/** Describes what a client received. The test fails unless that is a correct answer or a proper error. */
const toVerdict = (status: number, { text, reason, error }: UnderstoodAnswer, streams: boolean): string => {
  if (status >= 400) {
    expect(error).toMatch(/\w/);
    return `error ${status}`;
  }
  expect(status).toBe(200);
  if (error !== undefined) {
    expect(streams).toBe(true);
    expect(error).toMatch(/\w/);
    expect(said.faulty.startsWith(text)).toBe(true);
    return 'error at its end';
  }
  expect(reason).toBeDefined();
  if (reason === 'content-filter' || reason === 'refusal') {
    expect(text).toBe(said.faulty);
    return 'content filter';
  }
  expect(reason).toBe('stop');
  if (text === said.well) return 'next';
  if (text === said.faulty) return 'whole';
  expect(text.endsWith(said.well) && said.faulty.startsWith(text.slice(0, -said.well.length)), text).toBe(true);
  return 'continued';
};

/** Sends requests through a fallback whose first provider has a fault, and describes what clients of a dialect receive. */
export const tryFault = async (trial: FaultTrial): Promise<string> => {
  const { fault, dialect, streams, gateway, hosts, other, strategy } = trial;
  const timeout = fault.timeoutMs === undefined ? {} : { request_timeout: fault.timeoutMs };
  const config: JsonObject = {
    strategy: { mode: 'fallback', ...strategy },
    deadline_ms: fault.deadlineMs ?? 20_000,
    targets: [
      toTarget(dialect, hosts.faulty, timeout),
      toTarget(other, hosts.well, { override_params: { model: 'n' } }),
    ],
  };
  const ask = async (): Promise<string> => {
    const response = await fetch(`${gateway.origin}${toRoute(dialect, streams)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
      body: JSON.stringify(toBody(dialect, streams)),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { status } = response;
    const isStream = streams && status === 200;
    return toVerdict(status, isStream ? readStream(dialect, bytes) : readWhole(dialect, status, bytes), streams);
  };
  const verdicts = await Promise.all(Array.from({ length: fault.requests ?? 1 }, ask));
  return [...new Set(verdicts)].toSorted().join(', ');
};
