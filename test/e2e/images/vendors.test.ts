import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../schema/json/loose.ts';
import type { ReceivedRequest } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';
import { imageClient, usageOf } from './support/image-client.ts';
import { imagenAnswer, pictureOf } from './support/pictures.ts';

const world = gatewayAndUpstream();

const client = (config: JsonObject, headers: Readonly<Record<string, string>> = {}): OpenAI =>
  imageClient(world, config, headers);

/** A request as the vendor reads it. */
interface Asked {
  readonly prompt: string;
  readonly count: number;
}

/** A provider as it documents itself: the members that it accepts, and its answer. */
interface Vendor {
  readonly name: string;
  readonly target: JsonObject;
  readonly base: string;
  readonly model: string;
  readonly path: string;
  readonly header: string;
  /** Throws if the request contains something that the vendor does not document. */
  read(request: ReceivedRequest): Asked;
  answer(pictures: readonly string[]): JsonObject;
  readonly filtered: JsonObject;
  /** The members of a request for pictures of 1792 by 1024 pixels that express this size. */
  readonly wide: JsonObject;
  readonly most: number;
  readonly gives: 'base64' | 'url';
  readonly usage?: JsonObject;
}

const strict = (body: JsonObject, names: readonly string[]): JsonObject => {
  expect(names).toEqual(expect.arrayContaining(Object.keys(body)));
  return body;
};

const json = (request: ReceivedRequest): JsonObject => request.json() as JsonObject;

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api */
const imagen: Pick<Vendor, 'read' | 'answer' | 'filtered' | 'wide' | 'most' | 'gives'> = {
  read(request) {
    const { instances, parameters } = strict(json(request), ['instances', 'parameters']);
    const [instance = {}] = toObjects(instances);
    const settings = strict(findObject(parameters) ?? {}, [
      ...['sampleCount', 'aspectRatio', 'sampleImageSize', 'includeRaiReason', 'outputOptions'],
    ]);
    return {
      prompt: findText(strict(instance, ['prompt']).prompt) ?? '',
      count: findNumber(settings.sampleCount) ?? 1,
    };
  },
  answer: imagenAnswer,
  filtered: { predictions: [{ raiFilteredReason: 'The prompt is about nails. Support codes: 1' }] },
  wide: { parameters: { aspectRatio: '16:9' } },
  most: 4,
  gives: 'base64',
};

/** https://ai.google.dev/gemini-api/docs/image-generation */
const gemini: Pick<Vendor, 'read' | 'answer' | 'filtered' | 'wide' | 'most' | 'gives' | 'usage'> = {
  read(request) {
    const { contents, generationConfig } = strict(json(request), ['contents', 'generationConfig']);
    const config = strict(findObject(generationConfig) ?? {}, ['responseModalities', 'imageConfig', 'seed']);
    expect(config.responseModalities).toEqual(['IMAGE']);
    strict(findObject(config.imageConfig) ?? {}, ['aspectRatio', 'imageSize']);
    const [turn] = toObjects(contents);
    return { prompt: findText(toObjects(turn?.parts)[0]?.text) ?? '', count: 1 };
  },
  answer: (pictures) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { thought: true, inlineData: { mimeType: 'image/png', data: 'AAAA' } },
            ...pictures.map((data) => ({ inlineData: { mimeType: 'image/png', data } })),
          ],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: {
      ...{ promptTokenCount: 5, candidatesTokenCount: 1290, totalTokenCount: 1295 },
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
    },
  }),
  filtered: { candidates: [{ finishReason: 'IMAGE_SAFETY', finishMessage: 'It is about nails.' }] },
  wide: { generationConfig: { imageConfig: { aspectRatio: '16:9' } } },
  most: 1,
  gives: 'base64',
  usage: {
    ...{ input_tokens: 5, output_tokens: 1290, total_tokens: 1295 },
    output_tokens_details: { image_tokens: 1290, text_tokens: 0 },
  },
};

const google = { target: { provider: 'google' }, base: '/v1beta', header: 'x-goog-api-key' };
const vertex = {
  target: { provider: 'vertex-ai', cloudb_region: 'europe-west4', cloudb_project_id: 'acme' },
  base: '',
  header: 'authorization',
};
const publisher = '/v1/projects/acme/locations/europe-west4/publishers/google/models';
const bedrock = {
  target: { provider: 'bedrock', cloudc_region: 'us-east-1' },
  base: '',
  header: 'authorization',
};

/** The fields of a form without files. */
const fieldsOf = (request: ReceivedRequest): JsonObject => {
  const [, boundary = ''] = /^multipart\/form-data; boundary=(\S+)$/.exec(request.header('content-type') ?? '') ?? [];
  const parts = request.body.toString().split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    parts.map((part) => {
      const [, name = '', value = ''] =
        /^\r\ncontent-disposition: form-data; name="([^"]*)"\r\n\r\n(.*)\r\n$/s.exec(part) ?? [];
      return [name, value];
    }),
  );
};

const vendors: readonly Vendor[] = [
  {
    name: 'Imagen',
    model: 'imagen-4.0-generate-001',
    path: '/v1beta/models/imagen-4.0-generate-001:predict',
    ...google,
    ...imagen,
  },
  {
    name: 'Imagen on Vertex AI',
    model: 'imagen-4.0-generate-001',
    path: `${publisher}/imagen-4.0-generate-001:predict`,
    ...vertex,
    ...imagen,
  },
  {
    name: 'Gemini',
    model: 'gemini-2.5-flash-image',
    path: '/v1beta/models/gemini-2.5-flash-image:generateContent',
    ...google,
    ...gemini,
  },
  {
    name: 'Gemini on Vertex AI',
    model: 'gemini-2.5-flash-image',
    path: `${publisher}/gemini-2.5-flash-image:generateContent`,
    ...vertex,
    ...gemini,
  },
  {
    // https://docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html
    name: 'Nova Canvas',
    model: 'amazon.nova-canvas-v1:0',
    path: '/model/amazon.nova-canvas-v1%3A0/invoke',
    ...bedrock,
    read(request) {
      const body = strict(json(request), ['taskType', 'textToImageParams', 'imageGenerationConfig']);
      expect(body.taskType).toBe('TEXT_IMAGE');
      const { text } = strict(findObject(body.textToImageParams) ?? {}, ['text', 'negativeText', 'style']);
      const config = strict(findObject(body.imageGenerationConfig) ?? {}, [
        ...['numberOfImages', 'width', 'height', 'quality', 'cfgScale', 'seed'],
      ]);
      return { prompt: findText(text) ?? '', count: findNumber(config.numberOfImages) ?? 1 };
    },
    answer: (images) => ({ images: [...images], error: null }),
    filtered: { images: [], error: 'It is about nails.' },
    wide: { imageGenerationConfig: { width: 1792, height: 1024 } },
    most: 5,
    gives: 'base64',
  },
  {
    // https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-ultra-text-image-request-response.html
    name: 'Stability on Bedrock',
    model: 'stability.stable-image-ultra-v1:1',
    path: '/model/stability.stable-image-ultra-v1%3A1/invoke',
    ...bedrock,
    read(request) {
      const { prompt } = strict(json(request), [
        'prompt',
        'aspect_ratio',
        'output_format',
        'seed',
        'negative_prompt',
        'mode',
      ]);
      return { prompt: findText(prompt) ?? '', count: 1 };
    },
    answer: (images) => ({ seeds: images.map(() => 7), finish_reasons: images.map(() => null), images: [...images] }),
    filtered: { finish_reasons: ['Filter reason: prompt'], images: ['AAAA'] },
    wide: { aspect_ratio: '16:9' },
    most: 1,
    gives: 'base64',
  },
  {
    // https://platform.stability.ai/docs/api-reference#tag/Generate
    name: 'Stability',
    target: { provider: 'stability-ai' },
    base: '',
    model: 'sd3.5-large',
    path: '/v2beta/stable-image/generate/sd3',
    header: 'authorization',
    read(request) {
      expect(request.header('accept')).toBe('application/json');
      const names = ['prompt', 'model', 'aspect_ratio', 'negative_prompt', 'seed', 'output_format', 'style_preset'];
      const { prompt, model } = strict(fieldsOf(request), names);
      expect(model).toBe('sd3.5-large');
      return { prompt: findText(prompt) ?? '', count: 1 };
    },
    answer: ([image = '']) => ({ image, finish_reason: 'SUCCESS', seed: 7 }),
    filtered: { image: 'AAAA', finish_reason: 'CONTENT_FILTERED', seed: 7 },
    wide: { aspect_ratio: '16:9' },
    most: 1,
    gives: 'base64',
  },
  {
    // https://docs.fireworks.ai/api-reference/generate-a-new-image-from-a-text-prompt
    name: 'Fireworks',
    target: { provider: 'fireworks-ai' },
    base: '',
    model: 'accounts/fireworks/models/flux-1-dev-fp8',
    path: '/inference/v1/workflows/accounts/fireworks/models/flux-1-dev-fp8/text_to_image',
    header: 'authorization',
    read(request) {
      expect(request.header('accept')).toBe('application/json');
      const names = ['prompt', 'aspect_ratio', 'guidance_scale', 'num_inference_steps', 'seed'];
      const { prompt } = strict(json(request), names);
      return { prompt: findText(prompt) ?? '', count: 1 };
    },
    answer: (images) => ({
      ...{ id: 'p-1', finishReason: 'SUCCESS', seed: 7 },
      base64: images.map((image) => `data:image/png;base64,${image}`),
    }),
    filtered: { id: 'p-1', base64: ['AAAA'], finishReason: 'CONTENT_FILTERED', seed: 7 },
    wide: { aspect_ratio: '16:9' },
    most: 1,
    gives: 'base64',
  },
  {
    // https://docs.siliconflow.cn/en/api-reference/images/images-generations
    name: 'SiliconFlow',
    target: { provider: 'siliconflow' },
    base: '/v1',
    model: 'Kwai-Kolors/Kolors',
    path: '/v1/images/generations',
    header: 'authorization',
    read(request) {
      const names = ['model', 'prompt', 'negative_prompt', 'image_size', 'batch_size', 'seed', 'num_inference_steps'];
      const { prompt, batch_size: count } = strict(json(request), names);
      return { prompt: findText(prompt) ?? '', count: findNumber(count) ?? 1 };
    },
    answer: (images) => ({ images: images.map((image) => ({ url: `https://pictures.example/${image}` })), seed: 7 }),
    filtered: { code: 20_012, message: 'refused' },
    wide: { image_size: '1792x1024' },
    most: 4,
    gives: 'url',
  },
];

const target = ({ target: own, base }: Vendor): JsonObject => ({
  ...own,
  api_key: 'key-of-the-test',
  custom_host: `${world.upstream.origin}${base}`,
});

describe.each(vendors)("OpenAI's client at $name", (vendor) => {
  const serve = (answer = vendor.answer): readonly ReceivedRequest[] => {
    const requests: ReceivedRequest[] = [];
    world.upstream.handle((call) => {
      requests.push(call.request);
      const { prompt, count } = vendor.read(call.request);
      call.json(answer(Array.from({ length: count }, () => pictureOf(prompt))));
    });
    return requests;
  };
  const given = (prompt: string): object =>
    vendor.gives === 'base64'
      ? { b64_json: pictureOf(prompt) }
      : { url: `https://pictures.example/${pictureOf(prompt)}` };
  const { model } = vendor;

  it('gets a picture for its prompt', async () => {
    const requests = serve();
    const { data: answer, response } = await client(target(vendor), { 'x-gw-usage': 'true' })
      .images.generate({ model, prompt: 'a cat 👋\r\n"' })
      .withResponse();
    expect(answer.data).toEqual([given('a cat 👋\r\n"')]);
    expect(answer.created).toBeGreaterThan(1_700_000_000);
    expect(answer.usage).toEqual(vendor.usage);
    expect(requests.map(({ path }) => path)).toEqual([vendor.path]);
    expect(requests[0]?.header(vendor.header)).toMatch(/key-of-the-test$/);
    expect(usageOf(response.headers)).toMatchObject({ kind: 'reported', model, calls: { image: 1 } });
    expect(response.headers.get('x-gw-dropped-params')).toBeNull();
  });

  it('has its size translated for the provider, and gets a report of what cannot be expressed', async () => {
    const requests = serve();
    const { data: answer, response } = await client(target(vendor))
      .images.generate({ model, prompt: 'a', n: 10, size: '1792x1024', user: 'u-1', style: 'vivid' })
      .withResponse();
    const [sent] = requests;
    expect(vendor.name === 'Stability' ? sent && fieldsOf(sent) : sent?.json()).toMatchObject(vendor.wide);
    expect(answer.data).toHaveLength(vendor.most);
    expect(response.headers.get('x-gw-dropped-params')?.split(/, ?/)).toEqual([
      ...['count', 'style', 'extensions.images.user'],
    ]);
  });

  it('gets a stream of whole pictures if it requests one', async () => {
    serve();
    const stream = await client(target(vendor)).images.generate({ model, prompt: 'a cat', stream: true });
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    expect(events).toEqual([expect.objectContaining({ type: 'image_generation.completed', ...given('a cat') })]);
  });

  it('gets the same stream from the cache', async () => {
    const requests = serve();
    const cached = client({ ...target(vendor), cache: { mode: 'simple' } });
    const ask = async (): Promise<string> => {
      const answer = await cached.images.generate({ model, prompt: 'a cached cat', stream: true }).asResponse();
      return answer.text();
    };
    const first = await ask();
    expect(first).toContain('event: image_generation.completed');
    expect([await ask(), requests.length]).toEqual([first, 1]);
  });

  it.runIf(vendor.gives === 'base64')("gets a refusal of the provider's filter as an error", async () => {
    world.upstream.handle((call) => call.json(vendor.filtered));
    const answered = client(target(vendor)).images.generate({ model, prompt: 'nails' });
    await expect(answered).rejects.toMatchObject({
      ...{ status: 400, code: 'content_policy_violation', type: 'invalid_request_error' },
      message: expect.stringMatching(/nails|CONTENT_FILTERED|Filter reason: prompt/),
    });
  });

  it('falls back from an answer without a picture, and gets errors in its own form', async () => {
    let asked = 0;
    world.upstream.handle((call) => {
      asked += 1;
      call.json(asked === 1 ? { error: { message: 'Overloaded' }, id: 'a' } : vendor.answer([pictureOf('a')]));
    });
    const config = { strategy: { mode: 'fallback' }, targets: [target(vendor), target(vendor)] };
    const { data } = await client(config).images.generate({ model, prompt: 'a' });
    expect([data, asked]).toEqual([[given('a')], 2]);
    world.upstream.handle((call) =>
      call.json({ error: { message: 'Slow down.' }, message: 'Slow down.' }, { status: 429 }),
    );
    const refused = client(target(vendor)).images.generate({ model, prompt: 'a' });
    await expect(refused).rejects.toMatchObject({ status: 429, message: expect.stringContaining('Slow down.') });
  });

  it('has its prompt judged and its answer cached; its pictures are refused if a check may deny them', async () => {
    const requests = serve();
    const check = { 'default.contains': { words: ['secret'], operator: 'none' }, deny: true };
    const input = client({ ...target(vendor), input_guardrails: [check] });
    await expect(input.images.generate({ model, prompt: 'a secret' })).rejects.toMatchObject({ status: 446 });
    expect(requests).toEqual([]);
    const output = client({ ...target(vendor), output_guardrails: [check] });
    await expect(output.images.generate({ model, prompt: 'a' })).rejects.toMatchObject({ status: 446 });
    const cached = client({ ...target(vendor), cache: { mode: 'simple' } });
    const ask = () => cached.images.generate({ model, prompt: 'cached' }).withResponse();
    const [first, second] = [await ask(), await ask()];
    expect(second.response.headers.get('x-gw-cache-status')).toBe('HIT');
    expect(second.data).toEqual(first.data);
    expect(requests.length).toBe(2);
  });

  it.each([
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['an invalid size', { size: 'large' }, 'size'],
    ['zero pictures', { n: 0 }, 'n'],
  ])('is refused for %s', async (_, body, member) => {
    const requests = serve();
    const answered = client(target(vendor)).images.generate({
      model,
      prompt: 'a',
      ...body,
    } as OpenAI.ImageGenerateParams);
    await expect(answered).rejects.toMatchObject({ status: 400, message: expect.stringContaining(member) });
    expect(requests).toEqual([]);
  });
});
