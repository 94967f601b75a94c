import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import type { SampleRequest } from './sample-request.ts';
import { ownAddresses } from './settings/serve-options.ts';

export interface GreetingOptions {
  readonly host: string;
  readonly port: number;
  readonly settings: GatewayFile;
  /** Names of the plans in service. */
  readonly plans: readonly string[];
  /** Absent if nothing that answers is configured, so that `echo` does. */
  readonly sample?: SampleRequest | undefined;
  /** The path of the console. Absent if no keys are kept in a store. */
  readonly consolePath?: string | undefined;
  /** The number of processes that serve. Default: one. */
  readonly workers?: number;
}

const urlHost = (host: string): string => {
  const own = ownAddresses.get(host) ?? host;
  return own.includes(':') ? `[${own.replace('%', '%25')}]` : own;
};

/** Returns the URL at which this machine reaches a gateway that listens there. */
export const listensOn = (
  { host, port }: { readonly host: string; readonly port: number },
  { isSecure = false }: { readonly isSecure?: boolean } = {},
): string => `${isSecure ? 'https' : 'http'}://${urlHost(host)}:${port}`;

/** Returns a warning that others can connect as well, if it listens on all addresses. Otherwise returns nothing. */
const everywhere = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  ownAddresses.has(host) ? `, and on port ${port} of all addresses of this machine` : '';

/** Returns the address of metrics that have their own port. Whoever can connect may read them. */
export const metricsGreeting = (at: { readonly host: string; readonly port: number }): string =>
  `Metrics are at ${listensOn(at)}/metrics${everywhere(at)}.`;

/** Returns a shell expression for the value of a secret reference. */
const shellValue = (ref: string): string => {
  const [, kind, name = ''] = /^\$\{(env|file):([^}]+)\}$/.exec(ref) ?? [];
  return kind === 'file' ? `$(cat ${name})` : `$${name}`;
};

/** Must not contain a quote, which would end the argument that the shell reads. */
const bodyOf = (model: string): string =>
  `'${JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }] }).replaceAll("'", '\\u0027')}'`;

/** The maximum number of virtual models that are listed. */
const maxListed = 20;

/** Lists the virtual models of the gateway file. Each is another name for a config or a model. */
const modelsText = (models: GatewayFile['models'] = {}): string => {
  const names = Object.keys(models);
  if (names.length === 0) return '';
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  return `Virtual models: ${names.slice(0, maxListed).join(', ')}${more}\n`;
};

const sampleText = (sample: SampleRequest | undefined): string => {
  if (sample === undefined)
    return '  The built-in provider echo answers this request. It needs no config and no provider key.\n';
  return sample.isOpen === true ? "  Replace MODEL with the name of one of the provider's models.\n" : '';
};

/** Describes the certificates that curl needs: those of clients, and that of an authority that machines do not trust. */
const certificatesText = ({ tls }: NonNullable<GatewayFile['listen']>): string => {
  if (tls === undefined) return '';
  const authority =
    "  If the gateway's certificate is from a private authority, add --cacert FILE with that authority's certificate.\n";
  const asksClients = tls.client_ca !== undefined && tls.client_certificates !== 'request';
  return asksClients ? `${authority}  Clients need a certificate: add --cert FILE --key FILE.\n` : authority;
};

/** Returns where the gateway listens, what it serves, and a command to copy and run. */
export const greeting = (options: GreetingOptions): string => {
  const { host, port, settings, plans, sample, consolePath, workers = 1 } = options;
  const url = listensOn({ host, port }, { isSecure: settings.listen?.tls !== undefined });
  const key = settings.auth?.keys[0]?.key;
  const hasStore = consolePath !== undefined;
  const value = key === undefined ? hasStore && '$GW_API_KEY' : shellValue(key);
  const auth = value === false ? '' : ` -H "x-gw-api-key: ${value}"`;
  const saved = plans.length === 0 ? '' : `Plans: ${plans.join(', ')}\n`;
  const several = workers === 1 ? '' : `Workers: ${workers}\n`;
  const source =
    key === undefined && hasStore
      ? '  Set GW_API_KEY to the admin key of the store, or to a key from gw keys create.\n'
      : '';
  const config = sample?.config === undefined ? '' : ` -H 'x-gw-config: ${sample.config}'`;
  const chosen = sample === undefined ? " -H 'x-gw-provider: echo'" : config;
  const console = hasStore ? `Console: ${url}${consolePath}\n` : '';
  return `Gatewright listens on ${url}${everywhere({ host, port })}
${several}${saved}${modelsText(settings.models)}${console}
  curl ${url}/v1/chat/completions${auth}${chosen} -H 'content-type: application/json' -d ${bodyOf(sample?.model ?? 'echo')}
${sampleText(sample)}${source}${certificatesText(settings.listen ?? {})}
`;
};
