import { expect } from 'vitest';
import type { GatewayProcess } from '../../../support/gateways/gateway-process.ts';
import { adminKey } from '../../../support/gateways/stored-gateway.ts';

/** A record of the log. */
// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect in it
export type Logged = any;

type Gateway = Pick<GatewayProcess, 'baseUrl'>;

/** Reads a path below `/v1` with a key, by default the admin key. */
export const read = async (
  { baseUrl }: Gateway,
  path: string,
  { key = adminKey, workspace }: { readonly key?: string; readonly workspace?: string } = {},
): Promise<{ readonly status: number; readonly body: Logged }> => {
  const headers = { 'x-gw-api-key': key, ...(workspace === undefined ? {} : { 'x-gw-workspace': workspace }) };
  const answer = await fetch(`${baseUrl}${path}`, { headers });
  return { status: answer.status, body: await answer.json() };
};

/** Returns the whole record of a trace as soon as it is written. */
export const readRecord = async (gateway: Gateway, trace: string, workspace?: string): Promise<Logged> => {
  const as = workspace === undefined ? {} : { workspace };
  await expect
    .poll(async () => (await read(gateway, `/logs?trace_id=${trace}`, as)).body.data?.length)
    .toBeGreaterThan(0);
  const { body } = await read(gateway, `/logs?trace_id=${trace}`, as);
  return (await read(gateway, `/logs/${body.data[0].id}`, as)).body;
};
