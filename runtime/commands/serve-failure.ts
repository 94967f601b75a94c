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
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code];
  if (reason === undefined) throw error;
  return new ServeFailure(reason(host, port));
};
