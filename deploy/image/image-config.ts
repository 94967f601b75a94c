import { imageUser } from './archive/entry.ts';
import { stateFolder } from './layers/package-layer.ts';

/** The environment variables of the image. A container may override each. */
export const variables: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin',
  // A port of a container can be published only if its program listens on all addresses.
  HOST: '0.0.0.0',
  NODE_ENV: 'production',
  SSL_CERT_FILE: '/etc/ssl/certs/ca-certificates.crt',
  // All threads share one heap of the C library, which saves 20 to 50 MB under load.
  MALLOC_ARENA_MAX: '1',
};

export const entrypoint: readonly string[] = ['gw'];
export const command: readonly string[] = ['serve'];
export const port = 8787;
export const healthCheck: readonly string[] = ['gw', 'health'];

const second = 1e9;

/** Returns the `config` of the image: how its containers run by default. */
export const imageConfig = (labels: Readonly<Record<string, string>>): object => ({
  User: `${imageUser}:${imageUser}`,
  ExposedPorts: { [`${port}/tcp`]: {} },
  Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
  Entrypoint: entrypoint,
  Cmd: command,
  Volumes: { [`/${stateFolder}`]: {} },
  WorkingDir: `/${stateFolder}`,
  StopSignal: 'SIGTERM',
  Labels: labels,
  // Docker's own member, which other runtimes ignore.
  Healthcheck: {
    Test: ['CMD', ...healthCheck],
    Interval: 15 * second,
    Timeout: 5 * second,
    StartPeriod: 10 * second,
    Retries: 3,
  },
});
