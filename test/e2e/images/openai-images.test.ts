import type OpenAI from 'openai';
import { AzureOpenAI } from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';
import { imageClient, usageOf } from './support/image-client.ts';
import { imagenAnswer, pictureOf } from './support/pictures.ts';

const world = gatewayAndUpstream({
  files: { 'gateway.json': { prices: { openai: { 'dall-e-3': { input: 0, output: 0, image: 0.04 } } } } },
});

const client = (config: JsonObject, headers: Readonly<Record<string, string>> = {}): OpenAI =>
  imageClient(world, config, headers);

const openai = (): JsonObject => ({ provider: 'openai', api_key: 'k', custom_host: `${world.upstream.origin}/v1` });

describe("OpenAI's own images", () => {
  const usage = {
    input_tokens: 10,
    output_tokens: 272,
    total_tokens: 282,
    input_tokens_details: { image_tokens: 0, text_tokens: 10 },
  };
  const partial = (index: number, size = 3): object => ({
    ...{ type: 'image_generation.partial_image', partial_image_index: index, b64_json: 'A'.repeat(size) },
    ...{ created_at: 1, size: '1024x1024', quality: 'high', background: 'opaque', output_format: 'png' },
  });
  const completed = (data = 'BBBB'): object => ({
    ...{ type: 'image_generation.completed', b64_json: data, created_at: 1, size: '1024x1024', usage },
  });
  const generate = (extra: Partial<OpenAI.ImageGenerateParamsStreaming> = {}) =>
    client(openai()).images.generate({ model: 'gpt-image-1', prompt: 'a', stream: true, ...extra });
  const types = async (stream: AsyncIterable<{ readonly type: string }>): Promise<readonly string[]> => {
    const seen: string[] = [];
    for await (const { type } of stream) seen.push(type);
    return seen;
  };

  it('come as received, with usage and price', async () => {
    const body = { created: 1, data: [{ b64_json: 'AAAA' }], usage };
    world.upstream.handle((call) => call.json(body));
    const { data, response } = await client(openai(), { 'x-gw-usage': 'true' })
      .images.generate({ model: 'gpt-image-1', prompt: 'a' })
      .withResponse();
    expect(data).toMatchObject(body);
    expect(usageOf(response.headers)).toMatchObject({ input: { total: 10 }, output: { total: 272, image: 272 } });
    expect(Number(response.headers.get('x-gw-cost'))).toBeCloseTo((10 * 5 + 272 * 40) / 1e6, 9);
  });

  it("cost the operator's price of each picture if the provider reports no tokens", async () => {
    world.upstream.handle((call) =>
      call.json({ created: 1, data: [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }] }),
    );
    const { response } = await client(openai(), { 'x-gw-usage': 'true' })
      .images.generate({ model: 'dall-e-3', prompt: 'a', n: 2 })
      .withResponse();
    expect(Number(response.headers.get('x-gw-cost'))).toBeCloseTo(0.08, 9);
  });

  it('may be 20 MB, and are returned unchanged', async () => {
    const picture = 'Q'.repeat(20 * 1024 * 1024);
    const body = JSON.stringify({ created: 1, data: [{ b64_json: picture }], usage });
    world.upstream.handle((call) => call.answer({ body, headers: { 'content-type': 'application/json' } }));
    const response = await fetch(`${world.gateway.baseUrl}/images/generations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(openai()), 'x-gw-usage': 'true' },
      body: JSON.stringify({ model: 'gpt-image-1', prompt: 'a' }),
    });
    expect(usageOf(response.headers)).toMatchObject({ output: { total: 272 }, calls: { image: 1 } });
    expect((await response.text()) === body).toBe(true);
  });

  it('are streamed with previews of several megabytes', async () => {
    world.upstream.handle((call) => {
      const sse = call.sse();
      sse.frame(partial(0, 5 * 1024 * 1024), 'image_generation.partial_image');
      sse.frame(partial(1), 'image_generation.partial_image');
      sse.frame(completed('C'.repeat(6 * 1024 * 1024)), 'image_generation.completed');
      sse.end();
    });
    const seen = await types(await generate({ partial_images: 2 }));
    expect(seen).toEqual([
      ...['image_generation.partial_image', 'image_generation.partial_image', 'image_generation.completed'],
    ]);
  });

  it.each([
    ['the connection is cut', (cut: () => void) => cut()],
    ['the stream ends cleanly', (_: () => void, end: () => void) => end()],
  ])('are broken if %s before the picture has arrived', async (_, finish) => {
    world.upstream.handle((call) => {
      const sse = call.sse();
      sse.frame(partial(0), 'image_generation.partial_image');
      finish(
        () => sse.cut(),
        () => sse.end(),
      );
    });
    await expect(generate().then(types)).rejects.toThrow(/ended|lost|broke|cut|complete/i);
  });

  it('are broken if one of several pictures is missing, and whole if all have arrived', async () => {
    const serve = (count: number): void =>
      world.upstream.handle((call) => {
        const sse = call.sse();
        for (let each = 0; each < count; each += 1) sse.frame(completed(), 'image_generation.completed');
        sse.end();
      });
    serve(1);
    await expect(generate({ n: 2 }).then(types)).rejects.toThrow();
    serve(2);
    expect(await generate({ n: 2 }).then(types)).toHaveLength(2);
    serve(1);
    expect(await generate().then(types)).toHaveLength(1);
  });

  it('fall back from a stream that reports an error before any picture', async () => {
    let asked = 0;
    world.upstream.handle((call) => {
      asked += 1;
      const sse = call.sse();
      if (asked === 1)
        sse.frame({ type: 'error', error: { message: 'No.', code: 'x', type: 'server_error' } }, 'error');
      else sse.frame(completed(), 'image_generation.completed');
      sse.end();
    });
    const config = { strategy: { mode: 'fallback' }, targets: [openai(), openai()] };
    const stream = await client(config).images.generate({ model: 'gpt-image-1', prompt: 'a', stream: true });
    expect([await types(stream), asked]).toEqual([['image_generation.completed'], 2]);
  });

  it.each([true, false])(
    'are refused if a check may deny, because no check can judge them, streamed %s',
    async (stream) => {
      world.upstream.handle((call) => {
        if (!stream) return call.json({ created: 1, data: [{ b64_json: 'AAAA', revised_prompt: 'a' }] });
        const sse = call.sse();
        sse.frame(completed(), 'image_generation.completed');
        return sse.end();
      });
      const check = { 'default.contains': { words: ['secret'], operator: 'none' } };
      const asked = (deny: boolean) =>
        client({ ...openai(), output_guardrails: [{ ...check, deny }] }).images.generate({
          model: 'gpt-image-1',
          prompt: 'a',
          stream,
        });
      await expect(asked(true)).rejects.toMatchObject({ status: 446 });
      await expect(asked(false)).resolves.toBeDefined();
    },
  );

  it("are streamed to Azure's client from its deployment, and whole from another service in a fallback", async () => {
    const paths: string[] = [];
    let isDown = false;
    world.upstream.handle((call) => {
      paths.push(call.request.path);
      if (!call.request.path.startsWith('/openai/')) return call.json(imagenAnswer([pictureOf('a')]));
      if (isDown) return call.json({ error: { message: 'Down.' } }, { status: 503 });
      const sse = call.sse();
      sse.frame(partial(0), 'image_generation.partial_image');
      sse.frame(completed(), 'image_generation.completed');
      return sse.end();
    });
    const azure = { provider: 'azure-openai', api_key: 'k', custom_host: `${world.upstream.origin}/openai` };
    const behind = { provider: 'google', api_key: 'k', custom_host: `${world.upstream.origin}/v1beta` };
    const imagen4 = { ...behind, override_params: { model: 'imagen-4.0-generate-001' } };
    const targets = [{ ...azure, api_version: '2025-04-01-preview' }, imagen4];
    const azureClient = new AzureOpenAI({
      ...{ endpoint: world.gateway.origin, apiKey: 'not-sent', apiVersion: '2025-04-01-preview', maxRetries: 0 },
      deployment: 'pictures',
      defaultHeaders: { 'x-gw-config': JSON.stringify({ strategy: { mode: 'fallback' }, targets }) },
    });
    const ask = async () => types(await azureClient.images.generate({ prompt: 'a', model: 'pictures', stream: true }));
    expect(await ask()).toEqual(['image_generation.partial_image', 'image_generation.completed']);
    isDown = true;
    expect(await ask()).toEqual(['image_generation.completed']);
    const deployment = '/openai/deployments/pictures/images/generations?api-version=2025-04-01-preview';
    expect(paths).toEqual([deployment, deployment, '/v1beta/models/imagen-4.0-generate-001:predict']);
  });

  it('are requested from Together in its form, and keep members that its clients add', async () => {
    const requests: JsonObject[] = [];
    world.upstream.handle((call) => {
      requests.push(call.request.json() as JsonObject);
      call.json({ id: 'i', model: 'm', object: 'list', data: [{ index: 0, type: 'b64_json', b64_json: 'AAAA' }] });
    });
    const together = { provider: 'together-ai', api_key: 'k', custom_host: `${world.upstream.origin}/v1` };
    const body = { model: 'm', prompt: 'a', size: '512x768', response_format: 'b64_json', steps: 4 } as const;
    const { data } = await client(together).images.generate(body);
    expect(data?.[0]?.b64_json).toBe('AAAA');
    expect(requests).toEqual([
      { model: 'm', prompt: 'a', width: 512, height: 768, response_format: 'base64', steps: 4 },
    ]);
  });
});
