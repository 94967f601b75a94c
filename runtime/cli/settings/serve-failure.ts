import { errorCode } from '../../../schema/text/error-code.ts';
import { unreadableReason } from '../../watched-files/unreadable-reason.ts';
import { ownAddresses } from './serve-options.ts';

/** Thrown if the gateway cannot start, with the reason and what the operator can do. */
export class ServeFailure extends Error {}

/** The place to listen. */
interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

/** How to choose the port and the address of a listener. */
interface ListenAdvice {
  anotherPort(port: number): string;
  /** Describes when a gateway that ends releases its port. */
  readonly released: string;
  readonly highPort: string;
  readonly anotherHost: string;
}

const ofGateway: ListenAdvice = {
  anotherPort: (port) => `choose another port: gw serve --port ${port + 1}`,
  released: ' (a gateway that is shutting down keeps its port for its --drain-delay-ms, 5000 by default)',
  highPort: 'gw serve --port 8787',
  anotherHost: 'gw serve --host 127.0.0.1',
};

const ofMetrics: ListenAdvice = {
  anotherPort: () => 'choose another port for metrics: "metrics.port" in the gateway file',
  released: '',
  highPort: '"metrics.port" in the gateway file',
  anotherHost: '"metrics.host" in the gateway file',
};

const unresolved = ({ host }: ListenPlace, { anotherHost }: ListenAdvice): string =>
  `The host name ${host} does not resolve. Choose an address of this machine: ${anotherHost}`;

const reasons: { readonly [code: string]: (place: ListenPlace, advice: ListenAdvice) => string } = {
  EADDRINUSE: ({ host, port }, { anotherPort, released }) =>
    `Port ${port} of ${host} is already in use. Stop the program that uses it${released}, or ${anotherPort(port)}`,
  EACCES: ({ port }, { highPort }) => `This user may not listen on port ${port}. Choose a port above 1023: ${highPort}`,
  EADDRNOTAVAIL: ({ host }, { anotherHost }) =>
    `This machine does not have the address ${host}. Choose one that it has: ${anotherHost}`,
  EAFNOSUPPORT: ({ host }, { anotherHost }) =>
    `This machine has no addresses of the same family as ${host}. Choose one that it has: ${anotherHost}`,
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
  EINVAL: unresolved,
};

const failureOf = (error: unknown, place: ListenPlace, advice: ListenAdvice): ServeFailure => {
  const reason = reasons[errorCode(error) ?? ''];
  if (reason === undefined) throw error;
  return new ServeFailure(reason(place, advice));
};

/** Returns the failure for an error of `listen`. Unknown errors are rethrown. */
export const listenFailure = (error: unknown, place: ListenPlace): ServeFailure => failureOf(error, place, ofGateway);

/** Does the same for the separate port of metrics. */
export const metricsListenFailure = (error: unknown, place: ListenPlace): ServeFailure =>
  failureOf(error, place, ofMetrics);

/** Returns the failure for metrics with the same port as the gateway itself. Undefined if they have another. */
export const metricsClash = (metrics: ListenPlace, gateway: ListenPlace): ServeFailure | undefined => {
  const hosts = [metrics.host, gateway.host];
  const meet = metrics.host === gateway.host || hosts.some((host) => ownAddresses.has(host));
  if (metrics.port === 0 || metrics.port !== gateway.port || !meet) return undefined;
  return new ServeFailure(
    `"metrics.port" in the gateway file is ${metrics.port}, which is also the gateway's own port. Choose another port, or set "metrics": true to serve metrics at the gateway's own port.`,
  );
};

/** Returns why a folder of configs or plans cannot be read. `named` is the setting that names it. */
export const folderFailure = (error: unknown, folder: string, named: string): ServeFailure => {
  const code = errorCode(error);
  if (code === 'ENOENT') return new ServeFailure(`There is no folder ${folder}. Create it, or correct ${named}.`);
  if (code === 'ENOTDIR') return new ServeFailure(`${folder} is not a folder. Correct ${named}.`);
  return new ServeFailure(`The folder ${folder}, which ${named} names, cannot be read. ${unreadableReason(error)}`);
};

/** Returns why the folder for large forms cannot be used. */
export const spoolFailure = (error: unknown, folder: string): ServeFailure => {
  const named = '"spool_dir" in the gateway file';
  return errorCode(error) === 'EACCES' || errorCode(error) === 'EROFS'
    ? new ServeFailure(
        `The gateway may not write to the folder ${folder}. Change its permissions, or correct ${named}.`,
      )
    : folderFailure(error, folder, named);
};
