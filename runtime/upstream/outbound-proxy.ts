import { errorReport } from '../../schema/errors/errors.ts';
import type { Clock } from '../ports/clock.ts';
import { connectByProxy } from './connect-by-proxy.ts';
import { type OutboundProxy, type TlsOptions, toTlsOptions } from './egress.ts';
import { EgressFailure } from './network-report.ts';
import { readNoProxy } from './no-proxy.ts';
import { type ProxyAddress, readProxyAddress } from './proxy-address.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The value of this setting in the gateway file. */
export const byEnvironment = 'environment';

const schemes = ['https', 'http'] as const;
type Scheme = (typeof schemes)[number];

/** The variables that name the proxy of a scheme. The first that has a value counts, as in curl. */
export const proxyVariables = {
  https: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  http: ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
} as const;

/** Returns the value of the variable in lower case, or else in upper case. */
const readNoProxyText = (env: Variables): string | undefined => env.no_proxy || env.NO_PROXY;

/** A URL and its origin, for messages. */
interface NamedUrl {
  readonly name: string;
  readonly text: string;
}

export interface ProxySettings {
  /** The member `proxy` of the gateway file, or of the options of a gateway in a program. */
  readonly setting: string;
  /** The place of that member, for messages. */
  readonly place: string;
  readonly env: Variables;
  /** Returns the value of a text that may be a reference. Undefined if the reference has none. */
  readonly read: (text: string) => string | undefined;
}

const findUrl = ({ setting, place, env, read }: ProxySettings, scheme: Scheme): NamedUrl | undefined => {
  if (setting !== byEnvironment) {
    const text = read(setting);
    if (text === undefined) throw new Error(`"proxy" in ${place} refers to ${setting}, which is not set.`);
    return { name: `"proxy" in ${place}`, text };
  }
  const name = proxyVariables[scheme].find((each) => env[each]);
  return name === undefined ? undefined : { name: `the variable ${name}`, text: env[name] ?? '' };
};

const toAddress = ({ name, text }: NamedUrl): ProxyAddress => {
  const found = readProxyAddress(text);
  if ('address' in found) return found.address;
  throw new Error(`The value of ${name} is not the URL of a proxy. ${found.problem}`);
};

/** Returns the proxies of a setting by scheme. Throws an `Error` whose message is a sentence without any of their values. */
export const findProxies = (settings: ProxySettings): Readonly<Partial<Record<Scheme, ProxyAddress>>> => {
  const found: Partial<Record<Scheme, ProxyAddress>> = {};
  for (const scheme of schemes) {
    const url = findUrl(settings, scheme);
    if (url !== undefined) found[scheme] = toAddress(url);
  }
  return found;
};

/**
 * Creates the proxy that a setting names. The setting is read again for each connection, so that a changed password in a file is
 * used. The environment does not change.
 */
export const createOutboundProxy = (
  settings: ProxySettings & {
    /** Reads the authorities that are trusted in addition to Node's. */
    readonly extraCa: (() => string) | undefined;
    readonly clock: Pick<Clock, 'after'>;
  },
): OutboundProxy => {
  const isDirect = readNoProxy(readNoProxyText(settings.env));
  const toScheme = (protocol: string): Scheme => (protocol === 'https:' ? 'https' : 'http');
  const isUsed = {
    https: settings.setting !== byEnvironment || findUrl(settings, 'https') !== undefined,
    http: settings.setting !== byEnvironment || findUrl(settings, 'http') !== undefined,
  };
  let made: { readonly extraCa: string | undefined; readonly options: TlsOptions } | undefined;
  const toOptions = (extraCa: string | undefined): TlsOptions => {
    if (made !== undefined && made.extraCa === extraCa) return made.options;
    try {
      made = { extraCa, options: toTlsOptions({ extraCa }) };
    } catch (error) {
      // The connections through the tunnel report it.
      if (made === undefined) throw error;
    }
    return made.options;
  };
  return {
    covers: ({ protocol, ...host }) => isUsed[toScheme(protocol)] && !isDirect(host),
    connect: (target, { secure, timeoutMs }, callback) => {
      try {
        const proxy = findProxies(settings)[toScheme(target.protocol)];
        if (proxy === undefined) throw new Error('No proxy is configured for this scheme.');
        const extraCa = proxy.isSecure ? settings.extraCa?.() : undefined;
        connectByProxy(
          target,
          { proxy, tls: () => toOptions(extraCa), secure, timeoutMs, clock: settings.clock },
          callback,
        );
      } catch (error) {
        const reason = error instanceof Error ? error.message : '';
        queueMicrotask(() =>
          callback(
            new EgressFailure((host) => errorReport('proxy-failed', { host, proxy: `of ${settings.place}`, reason })),
            null,
          ),
        );
      }
    },
  };
};
