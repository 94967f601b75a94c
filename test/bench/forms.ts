/**
 * `npm run bench:forms`: sends a transcription of 100 MB, whose model a config replaces, through a gateway with a folder for
 * large forms. Prints the memory that the gateway needed for it. Exits with 1 if that was 40 MB or more above idle, or if the
 * provider received a different file. `--mb=100`. Linux only: it reads /proc.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { startGateway } from '../support/gateways/gateway-process.ts';
import { buildGateway } from './harness/built-gateway.ts';

const { values } = parseArgs({ options: { mb: { type: 'string', default: '100' } } });
const chunk = Buffer.alloc(1024 * 1024, 'sound ');
const chunks = Number(values.mb);
const maxAddedMb = 40;

const boundary = 'form-of-the-benchmark';
const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\ncontent-type: audio/wav\r\n\r\n`;
const tail = `\r\n--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--${boundary}--\r\n`;

async function* formBytes(): AsyncGenerator<Buffer, void> {
  yield Buffer.from(head);
  for (let sent = 0; sent < chunks; sent += 1) yield chunk;
  yield Buffer.from(tail);
}

/** Returns the highest resident memory of a process since the last reset, in MB. */
const peakMb = (pid: number): number =>
  Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const received: { bytes: number; head: string; hash: string } = { bytes: 0, head: '', hash: '' };
const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const hash = createHash('sha256');
  for await (const piece of request) {
    if (received.head.length < 1000) received.head += piece.toString('latin1', 0, 1000);
    received.bytes += piece.length;
    hash.update(piece);
  }
  received.hash = hash.digest('hex');
  response.setHeader('content-type', 'application/json').end('{"text":"Said."}');
};

const upstream = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
await new Promise((resolve) => upstream.once('listening', resolve));
const { port } = upstream.address() as AddressInfo;
const spool = mkdtempSync(path.join(tmpdir(), 'gw-forms-'));
const command = [process.execPath, await buildGateway(spool)] as const;
const gateway = await startGateway({ command, files: { 'gateway.json': { spool_dir: spool } } });
try {
  const config = {
    provider: 'openai',
    api_key: 'key',
    custom_host: `http://127.0.0.1:${port}/v1`,
    override_params: { model: 'gpt-4o-transcribe' },
  };
  const send = async (body: ReadableStream | string): Promise<Response> =>
    fetch(`${gateway.baseUrl}/audio/transcriptions`, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'x-gw-config': JSON.stringify(config) },
      body,
      duplex: 'half',
    } as RequestInit);
  await (await send(head + tail)).text();
  const idle = peakMb(gateway.pid);
  Object.assign(received, { bytes: 0, head: '', hash: '' });
  const answered = await send(Readable.toWeb(Readable.from(formBytes())) as ReadableStream);
  const text = await answered.text();
  const added = peakMb(gateway.pid) - idle;
  const part = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const expected = createHash('sha256').update(part('model', 'gpt-4o-transcribe')).update(head);
  for (let sent = 0; sent < chunks; sent += 1) expected.update(chunk);
  const isSame = received.hash === expected.update(`\r\n--${boundary}--\r\n`).digest('hex');
  process.stdout.write(
    `${answered.status} ${text}\n${received.bytes} bytes arrived; the file is ${isSame ? 'the same' : 'another one'}.\n${added.toFixed(1)} MB above idle (${idle.toFixed(1)} MB).\n`,
  );
  process.exitCode = isSame && added < maxAddedMb ? 0 : 1;
} finally {
  await gateway.stop();
  upstream.close();
  rmSync(spool, { recursive: true });
}
