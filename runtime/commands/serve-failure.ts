import { closestName } from '../../schema/closest-name.ts';
import { errorText } from '../../schema/error-text.ts';
import { errorCode } from '../error-code.ts';

/** Why the gateway does not start: for the operator, with what to do. */
export class ServeFailure extends Error {}

const reasons: { readonly [code: string]: (host: string, port: number) => string } = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is taken by another program. Stop that one, or choose another port: gw serve --port ${port + 1}`,
  EACCES: (_host, port) =>
    `Port ${port} may not be listened on by this user. Choose one above 1023: gw serve --port 8787`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}. Choose one it has: gw serve --host 127.0.0.1`,
  ENOTFOUND: (host) => `The name ${host} has no address. Choose one of this machine: gw serve --host 127.0.0.1`,
};

/** What `listen` rejected with, in words. Anything unknown is thrown on. */
export const listenFailure = (error: unknown, host: string, port: number): ServeFailure => {
  const code = errorCode(error);
  const reason = reasons[code];
  if (reason === undefined) throw error;
  return new ServeFailure(reason(host, port));
};

/** Why a folder of configs or plans cannot be read. `named` says where it is named. */
export const folderFailure = (error: unknown, folder: string, named: string): ServeFailure => {
  const code = errorCode(error);
  if (code === 'ENOENT') return new ServeFailure(`There is no folder ${folder}. Make it, or correct ${named}.`);
  if (code === 'ENOTDIR') return new ServeFailure(`${folder} is not a folder. Correct ${named}.`);
  return new ServeFailure(
    `The folder ${folder} cannot be read: ${errorText(error)}. Check its rights, or correct ${named}.`,
  );
};

/** Why requests without a config of their own would find none. */
export const defaultConfigFailure = (wanted: string, served: readonly string[]): ServeFailure => {
  const near = closestName(wanted, served);
  const names = served.map((name) => `"${name}"`).join(', ');
  const known = served.length === 0 ? 'No config is served.' : `These are served: ${names}.`;
  return new ServeFailure(
    `The default config "${wanted}" is not there. ${near === undefined ? known : `Did you mean "${near}"?`} Correct "default_config" in the gateway file.`,
  );
};
