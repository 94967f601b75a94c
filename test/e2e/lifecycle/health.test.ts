import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../support/commands/run-command.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayStart, startGateway } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';

/** Tests wait longer than a probe would, because the machine may be busy. */
const patient = ['--timeout-ms', '20000'];

const health = async (
  args: readonly string[],
  {
    cwd = temporaryFolder(),
    env = {},
  }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
) => {
  const { status, stdout, stderr } = await runCommand([process.execPath, installedGw, 'health', ...args], {
    cwd,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
  });
  return { status, stdout, stderr };
};

const serve = async (options: GatewayStart = {}) => {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.stop());
  return gateway;
};

describe('gw health', () => {
  it('reports that a gateway is ready or alive, by each way to address it', async () => {
    const { origin } = await serve();
    const { port } = new URL(origin);
    const ready = { status: 0, stdout: `The gateway at ${origin} is ready.\n`, stderr: '' };
    expect(await health(['--port', port, ...patient])).toEqual(ready);
    expect(await health(patient, { env: { PORT: port, HOST: '0.0.0.0' } })).toEqual(ready);
    const cwd = temporaryFolder({
      'gateway.json': `{ "listen": { "port": ${port} } } // with a comment`,
      'other.json': { listen: { port: Number(port), host: '127.0.0.1' } },
    });
    expect(await health(patient, { cwd })).toEqual(ready);
    expect(await health(['--config', 'other.json', ...patient], { cwd, env: { HOST: '127.0.0.1' } })).toEqual(ready);
    expect(await health(['--url', `${origin}/`, '--live', ...patient])).toEqual({
      ...ready,
      stdout: `The gateway at ${origin} is alive.\n`,
    });
  });

  it('reports that a gateway with service keys is ready, without a key', async () => {
    const { origin } = await serve({
      files: { 'gateway.json': { auth: { keys: [{ id: 'a', key: `\${env:GW_KEY_A}` }] } } },
      env: { GW_KEY_A: 'a-service-key' },
    });
    expect(await health(['--url', origin, ...patient])).toMatchObject({ status: 0 });
  });

  it('fails for a gateway that is not ready, although it is alive', async () => {
    const { origin, signal } = await serve({
      drainDelay: true,
      args: ['--drain-ms', '60000', '--drain-delay-ms', '60000'],
    });
    const { port } = new URL(origin);
    signal('SIGTERM');
    await expect
      .poll(() => health(['--port', port, ...patient]))
      .toEqual({
        status: 1,
        stdout: `The gateway at ${origin} is not ready: it is shutting down.\n`,
        stderr: '',
      });
    expect(await health(['--port', port, '--live', ...patient])).toMatchObject({ status: 0 });
  });

  it('fails if nothing listens, if nothing answers in time, or if something else answers', async () => {
    const silent = await startUpstream();
    onTestFinished(() => silent.close());
    const other = createServer((_request, response) => response.end('{"status":"ok"}'));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const otherPort = typeof address === 'object' ? address?.port : 0;
    expect(await health(['--port', '9', ...patient])).toEqual({
      status: 1,
      stdout: 'The gateway at http://127.0.0.1:9 does not answer: nothing listens there.\n',
      stderr: '',
    });
    expect(await health(['--url', silent.origin, '--timeout-ms', '50'])).toEqual({
      status: 1,
      stdout: `The gateway at ${silent.origin} does not answer: no answer within 50 ms.\n`,
      stderr: '',
    });
    for (const live of [[], ['--live']])
      expect(await health(['--port', String(otherPort), ...live, ...patient])).toMatchObject({
        status: 1,
        stdout: expect.stringContaining('does not answer like a gateway'),
      });
  });

  it.each([
    ['closes', (socket: Socket) => void socket.destroy()],
    ['resets', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy())],
  ])('reports that a server that %s the connection may not speak TLS', async (_, end) => {
    const server = createTcpServer(end).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { status, stdout } = await health(['--url', `https://127.0.0.1:${port}`, ...patient]);
    expect(status).toBe(1);
    expect(stdout).toContain('the connection ended before TLS began. Use http:// if it does not speak TLS');
  });

  it('sends no credential, and uses no proxy', async () => {
    const upstream = await startUpstream((call) => call.json({ status: 'ready' }));
    onTestFinished(() => upstream.close());
    const env = {
      GW_API_KEY: 'a-service-key',
      HTTP_PROXY: 'http://127.0.0.1:9',
      NODE_USE_ENV_PROXY: '1',
    };
    expect(await health(['--url', upstream.origin, ...patient], { env })).toMatchObject({ status: 0 });
    const [request] = upstream.requests;
    expect(request?.head).toBe(`GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:${upstream.port}\r\nConnection: close\r\n\r\n`);
  });

  it.each([
    [['--prot', '1'], 'There is no flag --prot. Did you mean --port?'],
    [['here'], "gw health takes only flags, and 'here' is not a flag."],
    [['--port', '70000'], '--port is "70000"; it must be a whole number from 0 to 65535.'],
    [['--timeout-ms', '0'], '--timeout-ms is "0"; it must be a whole number from 1 to 600000.'],
    [['--timeout-ms', '-1'], '--timeout-ms is "-1"; it must be a whole number from 1 to 600000.'],
    [['--url', 'gateway:1'], '--url must begin with http:// or https://.'],
    [['--url', 'http://a:secret@b'], '--url contains a user or a password, but this command sends neither.'],
    [['--port', '0'], 'A gateway with port 0 listens on any free port. Specify it with --port or --url.'],
  ])('refuses an invalid command line: %j', async (args, sentence) => {
    const run = await runGw(temporaryFolder(), ['health', ...args]);
    expect(run).toEqual({ code: 2, out: '', err: `gw: ${sentence} See gw health --help.\n` });
  });

  it('refuses a missing gateway file', async () => {
    const cwd = temporaryFolder();
    expect(await health(['--config', 'none.json'], { cwd })).toEqual({
      status: 2,
      stdout: '',
      stderr: `gw: The gateway file ${path.join(cwd, 'none.json')} cannot be read: there is no such file or folder. Correct its name, or make its folder. See gw health --help.\n`,
    });
  });
});
