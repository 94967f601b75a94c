import type { IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { parseArgs } from 'node:util';
import { request as requestHttp } from '../../plugins/sdk/http/node-http.ts';
import type { CommandSpec, OptionSpec } from '../../schema/command-help/command-spec.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { fromJson } from '../../schema/json/from-json.ts';
import { isJsonObject } from '../../schema/json/json.ts';
import { errorCode } from '../../schema/text/error-code.ts';
import { errorText } from '../../schema/text/error-text.ts';
import { listensOn } from './greeting.ts';
import { flagError, toAddress, toPort, UsageError, wholeNumber, withNegativeValues } from './settings/serve-options.ts';

/** The parts of the process that the command uses. */
export interface HealthIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  stdout(text: string): void;
  stderr(text: string): void;
}

const flags = {
  live: { type: 'boolean', default: false, describe: 'Check only whether the process is alive: GET /livez.' },
  url: {
    type: 'string',
    value: 'URL',
    describe: "The gateway's URL. Default: where gw serve listens with these flags, environment and gateway file.",
  },
  config: {
    type: 'string',
    value: 'FILE',
    describe: 'The gateway file. Default: gateway.json, .jsonc, .yaml or .yml in this folder, if there is one.',
  },
  host: { type: 'string', value: 'HOST', describe: 'As for gw serve. Environment: HOST.' },
  port: { type: 'string', value: 'PORT', describe: 'As for gw serve. Environment: PORT.' },
  'timeout-ms': { type: 'string', value: 'MS', describe: 'How long to wait for the answer. Default: 1000.' },
  cert: {
    type: 'string',
    value: 'FILE',
    describe:
      "With --key: the PEM certificate for a gateway that requires one from clients. Default: the gateway's own.",
  },
  key: { type: 'string', value: 'FILE', describe: 'With --cert: the private key of that certificate.' },
} as const satisfies { readonly [flag: string]: OptionSpec & { readonly default?: boolean } };

/** `gw health`. */
export const healthSpec: CommandSpec = {
  name: 'gw health',
  summary: "Checks whether a gateway is ready, like a container's probe: GET /readyz, without a key.",
  positionals: '',
  takes: { min: 0, max: 0 },
  options: flags,
  examples: ['gw health --url http://127.0.0.1:8787'],
  notes: `If the gateway file has "listen.tls", the gateway is called over TLS. Its certificate is not verified, as with the probes of
Kubernetes: nothing secret is sent, and it may be for another name. With --url, the certificate is verified.

Prints one line. Exit code: 0 it is ready, or alive; 1 it is not, or does not answer; 2 the command cannot be run.`,
};

const options = { ...flags, help: { type: 'boolean', short: 'h', default: false } } as const;

interface HealthOptions {
  readonly live: boolean;
  readonly url?: string | undefined;
  readonly config?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly timeoutMs: number;
  readonly pair: { readonly cert: string; readonly key: string } | undefined;
  readonly help: boolean;
}

const parse = (argv: readonly string[]): HealthOptions => {
  try {
    const { values } = parseArgs({ args: withNegativeValues(argv), options, strict: true });
    const { live, url, config, host, port, help, cert, key, 'timeout-ms': timeout = '1000' } = values;
    if (host === '') throw new UsageError('--host is empty; it must be an address of this machine.');
    const timeoutMs = wholeNumber(timeout, { what: '--timeout-ms', min: 1, max: 600_000 });
    if ((cert === undefined) !== (key === undefined))
      throw new UsageError('--cert and --key belong together: set both, or neither.');
    const pair = cert === undefined || key === undefined ? undefined : { cert, key };
    const known = { live, url, config, host, timeoutMs, pair, help };
    return { ...known, port: port === undefined ? undefined : toPort(port, '--port') };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw flagError(error, 'gw health', Object.keys(options));
  }
};

type Listen = NonNullable<GatewayFile['listen']>;

/** Rejects because a file cannot be read. */
const refuseFile = async (named: string, error: unknown): Promise<never> => {
  const { fileError, fileHint } = await import('../../schema/text/file-error.ts');
  throw new UsageError(`${named} cannot be read: ${fileError(error)}. ${fileHint(error)}`);
};

/** Returns the gateway file of this folder, if there is one. */
const ownGatewayFile = async (cwd: string): Promise<string | undefined> => {
  const [{ access }, { resolve }, { gatewayFileOf }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
    import('../../schema/config/file-names.ts'),
  ]);
  const found = await gatewayFileOf((name) =>
    access(resolve(cwd, name)).then(
      () => true,
      // In a folder that this user may not search, every name would seem to exist.
      (error: unknown) =>
        errorCode(error) === 'EACCES'
          ? refuseFile(`The gateway file ${resolve(cwd, name)}`, error)
          : errorCode(error) !== 'ENOENT',
    ),
  );
  if (found.kind === 'several') throw new UsageError(`${found.message} ${found.hint}`);
  return found.kind === 'one' ? found.name : undefined;
};

/** Returns the address in a gateway file, of which nothing else is read, and the folder of the file. */
const readListen = async (
  { config, timeoutMs }: HealthOptions,
  { cwd }: HealthIo,
): Promise<{ readonly listen: Listen; readonly folder: string } | undefined> => {
  const [{ readFileOrPipe }, { dirname, resolve }] = await Promise.all([
    import('../../plugins/sdk/files/read-file-or-pipe.ts'),
    import('node:path'),
  ]);
  const named = config ?? (await ownGatewayFile(cwd));
  if (named === undefined) return undefined;
  const file = resolve(cwd, named);
  const text = await readFileOrPipe(file, { waitMs: timeoutMs }).catch((error: unknown) =>
    refuseFile(`The gateway file ${file}`, error),
  );
  const { lenientValue } = await import('../watched-files/lenient-value.ts');
  const value = await lenientValue(text.toString('utf8'), file);
  return isJsonObject(value) && isJsonObject(value.listen)
    ? { listen: value.listen as Listen, folder: dirname(file) }
    : undefined;
};

/** Where to call a gateway, and how to use TLS. */
export interface AskedPlace {
  readonly url: string;
  readonly tls?: RequestOptions;
}

const readPair = async (
  { cert, key }: NonNullable<HealthOptions['pair']>,
  { cwd, timeoutMs }: Pick<HealthIo, 'cwd'> & Pick<HealthOptions, 'timeoutMs'>,
): Promise<Pick<RequestOptions, 'cert' | 'key'>> => {
  const [{ readFileOrPipe }, { resolve }] = await Promise.all([
    import('../../plugins/sdk/files/read-file-or-pipe.ts'),
    import('node:path'),
  ]);
  const read = (file: string, flag: string): Promise<Buffer> =>
    readFileOrPipe(resolve(cwd, file), { waitMs: timeoutMs }).catch((error: unknown) =>
      refuseFile(`The file ${file} of ${flag}`, error),
    );
  return { cert: await read(cert, '--cert'), key: await read(key, '--key') };
};

/** Returns how to call a gateway with a certificate from its own machine. */
export const ownTls = async (
  settings: NonNullable<Listen['tls']>,
  place: { readonly folder: string; readonly env: HealthIo['env'] },
): Promise<RequestOptions> => {
  const trusting = { rejectUnauthorized: false };
  if (settings.client_ca === undefined) return trusting;
  const { readTls } = await import('./tls/read-tls.ts');
  try {
    const [{ context }] = readTls(settings, place);
    const { cert, key } = context;
    return { ...trusting, cert, key };
  } catch {
    // The gateway still serves with what it has read before.
    return trusting;
  }
};

const findPlace = async (options: HealthOptions, io: HealthIo): Promise<AskedPlace> => {
  const { url, host, port, pair } = options;
  const own = pair === undefined ? undefined : await readPair(pair, { cwd: io.cwd, timeoutMs: options.timeoutMs });
  if (url !== undefined) {
    const { protocol = '', username, password } = URL.parse(url) ?? {};
    if (!/^https?:$/.test(protocol)) throw new UsageError('--url must begin with http:// or https://.');
    if (username || password)
      throw new UsageError('--url contains a user or a password, but this command sends neither.');
    return { url: url.replace(/\/+$/, ''), ...(own === undefined ? {} : { tls: own }) };
  }
  const isKnown = (host ?? io.env.HOST) && (port ?? io.env.PORT);
  const read = readListen(options, io);
  // Without a readable gateway file, these determine the address, and there is no TLS.
  const { listen, folder = '' } = (await (isKnown ? read.catch(() => undefined) : read)) ?? {};
  const address = toAddress(options, listen, io.env);
  if (address.port === 0)
    throw new UsageError('A gateway with port 0 listens on any free port. Specify it with --port or --url.');
  if (listen?.tls === undefined) return { url: listensOn(address) };
  return {
    url: listensOn(address, { isSecure: true }),
    tls: { ...(await ownTls(listen.tls, { folder, env: io.env })), ...own },
  };
};

interface Answer {
  readonly status: number;
  readonly text: string;
}

const maxBytes = 1024 * 1024;

const readAnswer = async (answer: IncomingMessage): Promise<Answer> => {
  let text = '';
  for await (const part of answer.setEncoding('utf8')) {
    text += part;
    if (text.length > maxBytes) break;
  }
  return { status: answer.statusCode ?? 0, text };
};

/** Thrown if the other side ended the connection during the handshake: it does not speak TLS, or not with this client. */
class EndedBeforeTls extends Error {}

const isReset = (error: unknown): boolean => errorCode(error) === 'ECONNRESET';

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');

/** Thrown if a server accepted the connection, but did not answer in time. */
class Unanswered extends Error {}

const toCallError = (error: Error, seen: { readonly isConnected: boolean; readonly isSecure: boolean }): Error => {
  if (!seen.isSecure && isReset(error)) return new EndedBeforeTls();
  return seen.isConnected && isTimeout(error) ? new Unanswered() : error;
};

/**
 * Sends the request without a key, and without the proxy that the environment may name, because the gateway is on this machine.
 */
const ask = async ({ url, tls }: AskedPlace, timeoutMs: number): Promise<Answer> => {
  const request = url.startsWith('https:') ? process.getBuiltinModule('node:https').request : requestHttp;
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    let isSecure = !url.startsWith('https:');
    let isConnected = false;
    request(url, { ...tls, agent: false, signal }, (answer) => readAnswer(answer).then(resolve, reject))
      .on('socket', (socket) =>
        socket
          .once('connect', () => {
            isConnected = true;
          })
          .once('secureConnect', () => {
            isSecure = true;
          }),
      )
      .on('error', (error) => reject(toCallError(error, { isConnected, isSecure })))
      .end();
  });
};

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the name server does not answer',
};

const silentReason = (error: unknown, { url }: AskedPlace, timeoutMs: number): string => {
  if (isTimeout(error) || error instanceof Unanswered) return `no answer within ${timeoutMs} ms`;
  const code = errorCode(error) ?? '';
  // A client whose certificate is missing or not valid receives no answer.
  if (error instanceof EndedBeforeTls)
    return 'the connection ended before TLS began. Use http:// if it does not speak TLS. If it requires a client certificate, set --cert and --key';
  if (isReset(error) && url.startsWith('https:'))
    return 'the connection was reset. If it requires a client certificate, set --cert and --key';
  return reasons[code] ?? (code === '' ? errorText(error) : code);
};

interface Health {
  readonly isWell: boolean;
  /** The end of a sentence about the gateway. */
  readonly text: string;
  /** Whether a server accepted the connection, but did not answer in time. */
  readonly isSilent?: boolean;
}

const noGateway: Health = {
  isWell: false,
  text: 'does not answer like a gateway: another program listens there, or a gateway with TLS, whose gateway file --config must name',
};

const states: ReadonlyMap<unknown, Health> = new Map([
  ['ready', { isWell: true, text: 'is ready' }],
  [
    'degraded',
    { isWell: true, text: 'is degraded, but serving: /readyz shows the reason to callers with a service key' },
  ],
  ['draining', { isWell: false, text: 'is not ready: it is shutting down' }],
  ['not-ready', { isWell: false, text: 'is not ready: /readyz shows the reason to callers with a service key' }],
]);

const readReadiness = ({ text }: Answer): Health => {
  try {
    return states.get(fromJson(text).status) ?? noGateway;
  } catch {
    return noGateway;
  }
};

const readLiveness = ({ status, text }: Answer): Health =>
  status === 200 && text === 'alive\n' ? { isWell: true, text: 'is alive' } : noGateway;

/** Returns the health of a gateway. One that does not answer is not healthy. */
export const findHealth = async (
  place: AskedPlace,
  { live, timeoutMs }: Pick<HealthOptions, 'live' | 'timeoutMs'>,
): Promise<Health> => {
  try {
    const answer = await ask({ ...place, url: `${place.url}${live ? '/livez' : '/readyz'}` }, timeoutMs);
    return live ? readLiveness(answer) : readReadiness(answer);
  } catch (error) {
    const text = `does not answer: ${silentReason(error, place, timeoutMs)}`;
    return { isWell: false, text, isSilent: error instanceof Unanswered };
  }
};

/**
 * Runs `gw health`: checks whether a gateway is ready, or alive. Exit codes: 0 if it is, 1 if it is not or does not answer, 2 if
 * the command line is not valid.
 */
export const health = async (io: HealthIo, argv: readonly string[]): Promise<number> => {
  try {
    const asked = parse(argv);
    if (asked.help) {
      const { commandHelp } = await import('../../schema/command-help/command-help.ts');
      io.stdout(commandHelp(healthSpec));
      return 0;
    }
    const place = await findPlace(asked, io);
    const { isWell, text } = await findHealth(place, asked);
    io.stdout(`The gateway at ${place.url} ${text}.\n`);
    return isWell ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.stderr(`gw: ${error.message} See gw health --help.\n`);
    return 2;
  }
};
