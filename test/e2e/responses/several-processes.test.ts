import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';

const programs = postgresFolder();

describe.runIf(programs !== undefined)('a background response of several processes', () => {
  it('can be streamed and cancelled by any of them', async () => {
    const server = await startPostgres(programs ?? '');
    onTestFinished(() => server.stop());
    const frames = anthropicStream({ text: 'One two three four.' });
    const left = Promise.withResolvers<void>();
    const upstream = await startUpstream((call) => {
      const stream = call.sse();
      for (const frame of frames.slice(0, Math.floor(frames.length / 2))) stream.send(frame);
      void call.gone.then(() => left.resolve());
    });
    onTestFinished(() => upstream.close());
    const one = await serveStore(server.url);
    const other = await serveStore(server.url);
    const settings = { custom_host: `${upstream.origin}/v1` };
    await control(one, 'POST /providers', {
      body: { name: 'claude', slug: 'claude', provider: 'anthropic', credential: { api_key: 'sk-a' }, settings },
    });
    const { key: apiKey = '' } = await control(one, 'POST /api-keys/workspace/service', {
      body: { name: 'app', scopes: ['completions.write'], workspace_id: 'default' },
    });
    const toClient = ({ baseUrl: baseURL }: { readonly baseUrl: string }): OpenAI =>
      new OpenAI({ baseURL, apiKey, maxRetries: 5, defaultHeaders: { 'x-gw-provider': '@claude' } });

    const { id } = await toClient(one).responses.create({ model: 'm', input: 'Count.', background: true });
    const events = await toClient(other).responses.retrieve(id, { stream: true });
    const types: string[] = [];
    let isCancelled = false;
    for await (const { type } of events) {
      types.push(type);
      if (type !== 'response.output_text.delta' || isCancelled) continue;
      isCancelled = true;
      const cancelled = await toClient(other).responses.cancel(id);
      expect(cancelled).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'cancelled' } });
    }
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.incomplete']);
    await left.promise;
    expect(await toClient(one).responses.retrieve(id)).toMatchObject({ status: 'incomplete' });
  });
});
