import { isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import type { CommandSpec, OptionSpec } from '../../../schema/command-help/command-spec.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import { closestName } from '../../../schema/text/closest-name.ts';

/** A gateway whose clients can be served unchanged. */
export type AcceptedGateway = NonNullable<GatewayFile['accept']>[number];

/** The command line of `gw serve`. */
export interface ServeOptions {
  readonly config?: string;
  readonly plans?: string;
  readonly store?: string;
  readonly host?: string;
  readonly port?: number;
  readonly open: boolean;
  readonly drainMs?: number;
  readonly drainDelayMs?: number;
  readonly workers?: number | 'auto';
  /** The gateways whose clients are served, in addition to those of the gateway file. */
  readonly accept?: readonly AcceptedGateway[];
  readonly help: boolean;
}

interface Range {
  readonly what: string;
  /** Default: 0. */
  readonly min?: number;
  readonly max: number;
}

/** Reads a whole number. Throws a `UsageError`. */
export const wholeNumber = (text: string, { what, min = 0, max }: Range): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new UsageError(`${what} is "${text}"; it must be a whole number from ${min} to ${max}.`);
  return value;
};

/** Thrown if the command line or the environment is not valid. The message is one sentence. */
export class UsageError extends Error {}

/** Addresses that stand for all addresses of a machine, each with the address at which the machine reaches itself. */
export const ownAddresses: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

export const toPort = (text: string, what: string): number => wholeNumber(text, { what, max: 65_535 });

const flags = {
  config: {
    type: 'string',
    value: 'FILE',
    describe:
      'The gateway file: keys, saved providers, plugins, the folder of configs. Default: gateway.json, .jsonc, .yaml or .yml.',
  },
  plans: {
    type: 'string',
    value: 'DIR',
    describe: 'Serve the compiled plans (*.plan.json) in this folder instead of the configs.',
  },
  store: {
    type: 'string',
    multiple: true,
    value: 'FILE|URL',
    describe:
      'Where the control plane keeps keys, saved providers, configs and prompts. Without it, there is no control plane.',
  },
  host: { type: 'string', value: 'HOST', describe: 'Address to listen on. Default: 127.0.0.1. Environment: HOST.' },
  port: {
    type: 'string',
    value: 'PORT',
    describe: 'Port to listen on, or 0 for any free port. Default: 8787. Environment: PORT.',
  },
  open: { type: 'boolean', default: false, describe: 'Answer all callers, even without service keys.' },
  'drain-ms': {
    type: 'string',
    value: 'MS',
    describe: 'How long running requests may take at shut-down. Default: 30000.',
  },
  'drain-delay-ms': {
    type: 'string',
    value: 'MS',
    describe:
      'How long new connections are still answered at the beginning of that time. Default: 5000, or 0 on a terminal.',
  },
  workers: {
    type: 'string',
    value: 'N',
    describe: 'Number of processes that serve, or "auto" for one per processor. Default: 1.',
  },
  accept: {
    type: 'string',
    multiple: true,
    value: 'GATEWAY',
    choices: ['portkey'],
    describe: "Serve another gateway's clients with their own headers and configs.",
  },
} as const satisfies {
  readonly [flag: string]: OptionSpec & { readonly multiple?: boolean; readonly default?: boolean };
};

/** `gw serve`. */
export const serveSpec: CommandSpec = {
  name: 'gw serve',
  summary: 'Runs the gateway.',
  positionals: '',
  takes: { min: 0, max: 0 },
  options: flags,
  examples: ['gw serve --config gateway.json --port 0'],
  notes: `A store is a SQLite file, which is created if it does not exist, or a postgres:// URL. While a gateway drains, /readyz says "draining".
In the background, start it without npx, because stopping npx does not stop the gateway: node_modules/.bin/gw serve & … and kill $!

Environment:
  GW_TRUSTED_HOSTS       Private hosts that may be called, separated by commas.
  GW_LOG=requests,hooks  Prints a JSON line for each request, and for each background guardrail.
  GW_ADMIN_KEY           The first key of a new store.
  GW_MASTER_KEY          The key that seals the credentials in the store.

Exit code: 0 a signal stopped it; 1 it could not start, or a second signal ended it; 2 the command cannot be run.`,
};

const options = { ...flags, help: { type: 'boolean', short: 'h', default: false } } as const;

const unknownFlag = (flag: string, known: readonly string[]): UsageError => {
  const closest = closestName(flag, known);
  return new UsageError(`There is no flag --${flag}.${closest === undefined ? '' : ` Did you mean --${closest}?`}`);
};

/** Rewords an error of node:util's parser about the flags of a command. */
export const flagError = (
  { message, code }: NodeJS.ErrnoException,
  command: string,
  known: readonly string[],
): UsageError => {
  const [, unknown] = /^Unknown option '-+([^']+)'/.exec(message) ?? [];
  if (unknown !== undefined) return unknownFlag(unknown, known);
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return new UsageError(
      `${command} takes only flags, and ${/'.*?'/s.exec(message)?.[0] ?? 'this argument'} is not a flag.`,
    );
  const [flag = 'a flag'] = /--[\w-]+/.exec(message) ?? [];
  return new UsageError(`The flag ${flag} ${message.includes('does not take') ? 'takes no' : 'needs a'} value.`);
};

/** Joins each flag to a negative number after it, which node:util's parser would take for another flag. */
export const withNegativeValues = (argv: readonly string[]): string[] =>
  argv.flatMap((word, index) => {
    const [before = '', after = ''] = [argv[index - 1], argv[index + 1]];
    const isNegative = (text: string): boolean => /^-\d/.test(text);
    const isFlag = (text: string): boolean => /^--[^=]+$/.test(text);
    if (isNegative(word) && isFlag(before)) return [];
    return isFlag(word) && isNegative(after) ? [`${word}=${after}`] : [word];
  });

const parse = (argv: readonly string[]): ReturnType<typeof parseArgs<{ options: typeof options; strict: true }>> => {
  try {
    return parseArgs({ args: withNegativeValues(argv), options, strict: true });
  } catch (error) {
    throw error instanceof Error ? flagError(error, 'gw serve', Object.keys(options)) : error;
  }
};

export interface Address {
  readonly host: string;
  readonly port: number;
}

const defaultPort = 8787;

/** Checks that a host is not a URL, and has no port. Throws a `UsageError`. */
const toHost = (written: string, what: string): string => {
  // In a URL, an IPv6 address is in brackets.
  const host = written.replace(/^\[(.*)\]$/, '$1');
  if (!/[\s/@?#]/.test(host) && (!host.includes(':') || isIPv6(host))) return host;
  throw new UsageError(
    `${what} is "${written}"; it must be an address of this machine, such as 127.0.0.1, without a scheme and a port.`,
  );
};

/** Returns where a gateway listens: the command line overrides the environment, which overrides the gateway file. */
export const toAddress = (
  options: { readonly host?: string | undefined; readonly port?: number | undefined },
  listen: Partial<Address> | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Address => ({
  host:
    options.host !== undefined
      ? toHost(options.host, '--host')
      : env.HOST
        ? toHost(env.HOST, 'HOST')
        : toHost(listen?.host ?? '127.0.0.1', '"listen.host" in the gateway file'),
  port: options.port ?? (env.PORT ? toPort(env.PORT, 'PORT') : (listen?.port ?? defaultPort)),
});

const oneStore = (stores: readonly string[]): string | undefined => {
  if (stores.length > 1)
    throw new UsageError(`The flag --store is set ${stores.length} times. A gateway has one store, so set it once.`);
  return stores[0];
};

const milliseconds = (text: string, what: string): number => wholeNumber(text, { what, max: 2 ** 31 - 1 });

/** More processors than any machine that runs a gateway has. */
const maxWorkers = 256;

/** Returns how many processes serve, according to the command line or else the gateway file. */
export const workerCount = (
  { workers }: Pick<ServeOptions, 'workers'>,
  { workers: ofFile = 1 }: Pick<GatewayFile, 'workers'>,
): number | 'auto' => workers ?? (typeof ofFile === 'number' ? ofFile : 'auto');

export const toWorkers = (text: string): number | 'auto' => {
  if (text === 'auto') return text;
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= maxWorkers) return Number(text);
  throw new UsageError(`--workers is "${text}"; it must be a whole number from 1 to ${maxWorkers}, or auto.`);
};

const toAccepted = (name: string): AcceptedGateway => {
  const known = flags.accept.choices.find((choice) => choice === name);
  if (known !== undefined) return known;
  throw new UsageError(`--accept is "${name}"; it must be ${flags.accept.choices.join(' or ')}.`);
};

/** Throws a `UsageError`. */
export const parseServeOptions = (argv: readonly string[]): ServeOptions => {
  const {
    config,
    plans,
    store: stores = [],
    host,
    port,
    open,
    help,
    workers,
    accept = [],
    'drain-ms': drain,
    'drain-delay-ms': delay,
  } = parse(argv).values;
  const store = oneStore(stores);
  // Node would listen on all addresses of the machine.
  if (host === '') throw new UsageError('--host is empty; it must be an address of this machine.');
  return {
    open,
    help,
    ...(accept.length === 0 ? {} : { accept: accept.map(toAccepted) }),
    ...(config === undefined ? {} : { config }),
    ...(plans === undefined ? {} : { plans }),
    ...(store === undefined ? {} : { store }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: toPort(port, '--port') }),
    ...(drain === undefined ? {} : { drainMs: milliseconds(drain, '--drain-ms') }),
    ...(workers === undefined ? {} : { workers: toWorkers(workers) }),
    ...(delay === undefined ? {} : { drainDelayMs: milliseconds(delay, '--drain-delay-ms') }),
  };
};
