import type { GatewayFile } from '../generated/gateway-file.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '::1'];

/**
 * The environment's list, else the gateway file's, else loopback if only this machine can call the gateway. A holder of
 * a service key may call from anywhere, and must not reach this machine's own services.
 */
export const toTrustedHosts = (
  env: string | undefined,
  { trusted_hosts }: GatewayFile,
  onlyThisMachine: boolean,
): readonly string[] => {
  const listed = env?.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])) ?? trusted_hosts;
  return listed ?? (onlyThisMachine ? loopbackHosts : []);
};
