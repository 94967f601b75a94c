import { lookup } from 'node:dns/promises';
import net from 'node:net';
import { getSystemErrorName } from 'node:util';
import { ServeFailure } from '../../cli/settings/serve-failure.ts';
import type { Address } from '../../cli/settings/serve-options.ts';

/** The part of a Node handle that is used here. */
interface TcpHandle {
  /** Writes the address into `into`. Returns a negative number if it cannot. */
  getsockname(into: { address?: string; port?: number }): number;
  close(): void;
}

/** Creates a handle, as node:cluster does for its workers. */
type CreateHandle = (address: string, port: number, family: 4 | 6) => TcpHandle | number;

/** A port that this process holds without serving it. Processes that receive the handle listen on it. */
export interface ListeningHandle {
  readonly handle: object;
  /** The actual port, if port 0 was requested. */
  readonly port: number;
  close(): void;
}

const systemError = (errno: number): Error => {
  const code = getSystemErrorName(errno);
  return Object.assign(new Error(`The port cannot be bound: ${code}.`), { code });
};

/**
 * Binds an address without accepting anything. A server of node:net accepts as soon as it listens, so connections would wait for
 * a process that does not serve them. Rejects like `server.listen`. Throws a `ServeFailure` if this Node has no such handles.
 */
export const bindHandle = async ({ host, port }: Address): Promise<ListeningHandle> => {
  const { _createServerHandle: createHandle } = net as { readonly _createServerHandle?: CreateHandle };
  if (createHandle === undefined)
    throw new ServeFailure(
      `Node ${process.versions.node} cannot share a port between processes. Serve with one worker: gw serve --workers 1`,
    );
  const { address, family } = await lookup(host);
  const handle = createHandle(address, port, family === 6 ? 6 : 4);
  if (typeof handle === 'number') throw systemError(handle);
  const bound: { address?: string; port?: number } = {};
  // An address that is in use is reported here at the latest.
  const errno = handle.getsockname(bound);
  if (errno < 0) {
    handle.close();
    throw systemError(errno);
  }
  return { handle, port: bound.port ?? port, close: () => handle.close() };
};
