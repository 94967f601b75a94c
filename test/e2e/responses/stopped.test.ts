import OpenAI from 'openai';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { control, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { responseStream } from '../../support/vendors/openai-responses-wire.ts';

it.each([0, 1, 2])(
  'a background response of which %i events have arrived when the gateway stops is completed after the next start',
  async (begun) => {
    const frames = responseStream('Hello there.');
    let calls = 0;
    const upstream = await startUpstream(async (call) => {
      calls += 1;
      if (calls === 1 && begun === 0) return call.gone;
      const stream = call.sse();
      for (const frame of calls === 1 ? frames.slice(0, begun) : frames) stream.send(frame);
      if (calls > 1) stream.end();
      return undefined;
    });
    onTestFinished(() => upstream.close());
    const folder = temporaryFolder();
    const first = await serveStore('gateway.db', { folder });
    const settings = { custom_host: `${upstream.origin}/v1` };
    await control(first, 'POST /providers', {
      body: { name: 'gpt', slug: 'gpt', provider: 'openai', credential: { api_key: 'sk-o' }, settings },
    });
    const { key: apiKey } = await makeKey(first, 'app');
    const toClient = ({ baseUrl: baseURL }: { readonly baseUrl: string }): OpenAI =>
      new OpenAI({ baseURL, apiKey, maxRetries: 0, defaultHeaders: { 'x-gw-provider': '@gpt' } });
    const { id } = await toClient(first).responses.create({ model: 'gpt-4o', input: 'Hello?', background: true });
    await expect.poll(() => calls, patience).toBe(1);
    first.signal('SIGTERM');
    expect(await first.exited).toBe(0);
    const second = await serveStore('gateway.db', { folder });
    const status = async (): Promise<string | undefined> => (await toClient(second).responses.retrieve(id)).status;
    await expect.poll(status, patience).not.toBe('in_progress');
    expect(await toClient(second).responses.retrieve(id)).toMatchObject({
      status: 'completed',
      output_text: 'Hello there.',
    });
    expect(calls).toBe(2);
  },
);
