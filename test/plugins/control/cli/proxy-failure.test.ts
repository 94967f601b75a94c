import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment } from '../../../support/commands/clean-environment.ts';
import { runCommand } from '../../../support/commands/run-command.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { installedGw } from '../../../support/gateways/installed-gateway.ts';
import { freePort } from '../../../support/servers/free-port.ts';

/** Lists the keys of a gateway through the proxy of the environment. */
const listKeys = (gateway: string, variables: Readonly<Record<string, string>>) =>
  runCommand([process.execPath, installedGw, 'keys', 'list'], {
    cwd: temporaryFolder(),
    env: { ...cleanEnvironment(), NODE_USE_ENV_PROXY: '1', GW_URL: gateway, GW_API_KEY: 'key', ...variables },
  });

/** Starts a proxy that refuses every connection, and returns its port. */
const refusingProxy = async (): Promise<number> => {
  const server = createServer().on('connect', (_, socket) => {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

it('reports a proxy that cannot be reached, without its password', async () => {
  const proxy = `http://user:word@127.0.0.1:${await freePort()}`;
  const { status, stderr } = await listKeys('http://gateway.example:8787', { HTTP_PROXY: proxy });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      'gw: The proxy for http://gateway.example:8787 cannot be reached (ECONNREFUSED). Correct HTTP_PROXY, or add gateway.example to NO_PROXY.\n',
  });
});

it('reports a proxy whose host does not resolve', async () => {
  const { stderr } = await listKeys('https://10.0.0.1', { HTTPS_PROXY: 'http://proxy.invalid:3128' });
  expect(stderr).toMatch(
    /^gw: The proxy for https:\/\/10\.0\.0\.1 cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\)\. Correct HTTPS_PROXY, or add 10\.0\.0\.1 to NO_PROXY\.\n$/,
  );
});

it('reports a proxy that refuses to connect', async () => {
  const { stderr } = await listKeys('https://gateway.example', {
    HTTPS_PROXY: `http://127.0.0.1:${await refusingProxy()}`,
  });
  expect(stderr).toBe(
    'gw: The proxy for https://gateway.example does not connect to it (status 407). Correct HTTPS_PROXY, or add gateway.example to NO_PROXY.\n',
  );
});

it('reports the gateway instead if no proxy is used', async () => {
  const gateway = `http://localhost:${await freePort()}`;
  const { stderr } = await listKeys(gateway, { HTTP_PROXY: `http://127.0.0.1:1`, NO_PROXY: 'localhost' });
  expect(stderr).toContain(`Nothing listens at ${gateway}.`);
});
