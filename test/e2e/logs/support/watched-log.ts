import type { GatewayProcess } from '../../../support/gateways/gateway-process.ts';
import { type Load, steadyLoad } from '../../../support/gateways/steady-load.ts';
import { adminKey, chat } from '../../../support/gateways/stored-gateway.ts';
import { type Logged, read } from './logged.ts';

/** Returns what `/readyz` reports about the log. */
export const logStatus = async ({ origin }: GatewayProcess): Promise<Logged> => {
  const answer = await fetch(`${origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } });
  const page: Logged = await answer.json();
  return page.store?.log;
};

export const total = async (gateway: GatewayProcess): Promise<number> => {
  const [min, max] = [Date.now() / 1000 - 3600, Date.now() / 1000 + 3600];
  const { body } = await read(gateway, `/analytics/graphs/requests?time_min=${min}&time_max=${max}`);
  return body.summary?.total;
};

/** Sends requests until stopped. None of them may fail. */
export const toLoad = (gateway: GatewayProcess): { readonly load: Load; sent(): number } => {
  let sent = 0;
  const load = steadyLoad(async () => {
    const answer = await chat(gateway, { key: adminKey });
    sent += 1;
    return answer;
  });
  return { load, sent: () => sent };
};
