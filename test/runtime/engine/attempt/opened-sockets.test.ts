import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { Sink, StreamEnd, UpstreamAnswer } from '../../../../plugins/sdk/http/http.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider, type Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { StubBody } from '../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };

const handshake = (members: Partial<Exchange> = {}): Exchange =>
  sampleExchange(
    {},
    {
      route: { operation: 'opaque', opensSession: true },
      request: { method: 'GET', path: '/realtime?model=m', headers: [], body: { kind: 'none' } },
      ...members,
    },
  );

/** A close frame with the code 1000. */
const closed = Buffer.from([0x88, 2, 0x03, 0xe8]);

const toText = (text: string): Buffer => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]);

class Recorder implements Sink {
  readonly chunks: Buffer[] = [];
  end(): void {}
  fail(): void {}
  onDrain(): void {}
  write(chunk: Uint8Array): boolean {
    this.chunks.push(Buffer.from(chunk));
    return true;
  }
}

const opened = (bytes: Buffer, toUpstream: Sink = new Recorder()): UpstreamAnswer => ({
  ...{ kind: 'answer', status: 101, headers: ['sec-websocket-accept', 'a'] },
  ...{ body: new StubBody(bytes), toUpstream },
});

const own = (upstream: () => UpstreamAnswer): Provider =>
  defineProvider({
    ...{ id: 'own', credential: 'none', speaks: {}, hasRealtime: true, headers: () => [] },
    inProcess: () => ({ send: async () => upstream() }),
  });

describe('a provider that opens a WebSocket', () => {
  it('is connected with the client in both directions', async () => {
    const toUpstream = new Recorder();
    const sent = Buffer.concat([toText('hi'), closed]);
    const { handle, upstreams } = runConfig(openai, { upstream: () => opened(sent, toUpstream) });
    const answer = await handle(handshake());
    expect(answer).toMatchObject({ status: 101, headers: ['sec-websocket-accept', 'a'], origin: 'upstream' });
    expect(upstreams.requests).toMatchObject([{ opensSocket: true, path: '/v1/realtime?model=m' }]);
    answer.toUpstream?.write(Buffer.from('there'));
    expect(Buffer.concat(toUpstream.chunks).toString()).toBe('there');
    const client = new Recorder();
    const ends: StreamEnd[] = [];
    if (answer.body.kind !== 'stream') throw new Error('It is no stream.');
    answer.body.onEnd((end) => ends.push(end));
    answer.body.start(client);
    expect(Buffer.concat(client.chunks).equals(sent)).toBe(true);
    expect(ends).toEqual(['complete']);
  });

  it('has failed if it ends without a close frame', async () => {
    const { handle } = runConfig(openai, { upstream: () => opened(toText('hi')) });
    const answer = await handle(handshake());
    const client = new Recorder();
    const ends: StreamEnd[] = [];
    if (answer.body.kind !== 'stream') throw new Error('It is no stream.');
    answer.body.onEnd((end) => ends.push(end));
    answer.body.start(client);
    expect(ends).toEqual(['failed']);
    expect(Buffer.concat(client.chunks).toString('latin1')).toContain('"code":"connection-lost"');
  });

  it('may be the one of a plugin', async () => {
    const plugins = [definePlugin({ name: 'own', providers: [own(() => opened(closed))] })];
    const { handle } = runConfig({ provider: 'own' }, { upstream: () => opened(closed), plugins });
    expect(await handle(handshake())).toMatchObject({ status: 101, leaf: { provider: 'own' } });
  });

  it('gets an error if the request does not ask for one', async () => {
    const plugins = [definePlugin({ name: 'own', providers: [own(() => opened(closed))] })];
    const { handle } = runConfig({ provider: 'own' }, { upstream: () => opened(closed), plugins });
    const answer = await handle(handshake({ route: { operation: 'opaque' } }));
    expect(toJson(answer)).toMatchObject({ error: { code: 'internal-error' } });
  });
});
