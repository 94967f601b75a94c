import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { ownAddresses } from './settings/serve-options.ts';

export interface GreetingOptions {
  readonly host: string;
  readonly port: number;
  readonly settings: GatewayFile;
  /** Names of the plans in service. */
  readonly plans: readonly string[];
  /** The path of the console; absent where no keys are kept in a store. */
  readonly consolePath?: string | undefined;
  /** The processes that serve; one if absent. */
  readonly workers?: number;
}

const urlHost = (host: string): string => {
  const own = ownAddresses.get(host) ?? host;
  return own.includes(':') ? `[${own.replace('%', '%25')}]` : own;
};

/** The URL at which this machine reaches a gateway that listens there. */
export const listensOn = (
  { host, port }: { readonly host: string; readonly port: number },
  { isSecure = false }: { readonly isSecure?: boolean } = {},
): string => `${isSecure ? 'https' : 'http'}://${urlHost(host)}:${port}`;

/** Says that others can connect as well, where it listens on all addresses; nothing where it does not. */
const everywhere = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  ownAddresses.has(host) ? `, and at port ${port} of all addresses of this machine` : '';

/** Where metrics have a port of their own. Who can connect may read them. */
export const metricsGreeting = (at: { readonly host: string; readonly port: number }): string =>
  `Metrics are at ${listensOn(at)}/metrics${everywhere(at)}.`;

/** A shell expression for the value of a secret reference. */
const shellValue = (ref: string): string => {
  const [, kind, name = ''] = /^\$\{(env|file):([^}]+)\}$/.exec(ref) ?? [];
  return kind === 'file' ? `$(cat ${name})` : `$${name}`;
};

const body = `'{"model":"echo","messages":[{"role":"user","content":"Hello!"}]}'`;

/** Where the gateway listens, what it serves, and a command to copy and run. */
export const greeting = ({ host, port, settings, plans, consolePath, workers = 1 }: GreetingOptions): string => {
  const url = listensOn({ host, port }, { isSecure: settings.listen?.tls !== undefined });
  const key = settings.auth?.keys[0]?.key;
  const hasStore = consolePath !== undefined;
  const value = key === undefined ? hasStore && '$GW_API_KEY' : shellValue(key);
  const auth = value === false ? '' : ` -H "x-gw-api-key: ${value}"`;
  const saved = plans.length === 0 ? '' : `It serves ${plans.join(', ')}.\n`;
  const several = workers === 1 ? '' : `${workers} workers serve.\n`;
  const source =
    key === undefined && hasStore
      ? '  GW_API_KEY is the admin key of the store, or a key that gw keys create made.\n'
      : '';
  const console = hasStore ? `The console is at ${url}${consolePath}\n` : '';
  return `Gatewright listens on ${url}${everywhere({ host, port })}
${several}${saved}${console}
  curl ${url}/v1/chat/completions${auth} -H 'x-gw-provider: echo' -H 'content-type: application/json' -d ${body}
${source}
`;
};
