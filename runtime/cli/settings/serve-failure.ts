import { errorCode } from '../../../schema/text/error-code.ts';
import { unreadableReason } from '../../files/unreadable-reason.ts';

/** Why the gateway cannot start, and what the operator can do. */
export class ServeFailure extends Error {}

const unresolved = (host: string): string =>
  `The host name ${host} does not resolve. Choose an address of this machine: gw serve --host 127.0.0.1`;

const reasons: { readonly [code: string]: (host: string, port: number) => string } = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is already in use. Stop the program that uses it, or choose another port: gw serve --port ${port + 1}`,
  EACCES: (_host, port) => `This user may not listen on port ${port}. Choose a port above 1023: gw serve --port 8787`,
  EADDRNOTAVAIL: (host) =>
    `This machine does not have the address ${host}. Choose one that it has: gw serve --host 127.0.0.1`,
  EAFNOSUPPORT: (host) =>
    `This machine has no addresses of the kind of ${host}. Choose one that it has: gw serve --host 127.0.0.1`,
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
  EINVAL: unresolved,
};

/** The failure for an error that `listen` rejected with. Unknown errors are rethrown. */
export const listenFailure = (error: unknown, host: string, port: number): ServeFailure => {
  const code = errorCode(error) ?? '';
  const reason = reasons[code];
  if (reason === undefined) throw error;
  return new ServeFailure(reason(host, port));
};

/** Why a folder of configs or plans cannot be read. `named` is the setting that names it. */
export const folderFailure = (error: unknown, folder: string, named: string): ServeFailure => {
  const code = errorCode(error);
  if (code === 'ENOENT') return new ServeFailure(`There is no folder ${folder}. Create it, or correct ${named}.`);
  if (code === 'ENOTDIR') return new ServeFailure(`${folder} is not a folder. Correct ${named}.`);
  return new ServeFailure(`The folder ${folder}, which ${named} names, cannot be read. ${unreadableReason(error)}`);
};

/** Why the folder for large forms cannot be used. */
export const spoolFailure = (error: unknown, folder: string): ServeFailure => {
  const named = '"spool_dir" in the gateway file';
  return errorCode(error) === 'EACCES' || errorCode(error) === 'EROFS'
    ? new ServeFailure(
        `The gateway may not write to the folder ${folder}. Change its permissions, or correct ${named}.`,
      )
    : folderFailure(error, folder, named);
};
