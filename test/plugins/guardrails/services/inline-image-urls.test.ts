import { describe, expect, it } from 'vitest';
import { inlineImageUrls } from '../../../../plugins/guardrails/services/inline-image-urls.ts';
import type { TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { CheckAnswer, CheckRequest } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { neverCancelled } from '../../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/** Bytes that are not valid UTF-8. */
const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00]);
const data = bytes.toString('base64');
const url = 'https://img.test/a.png';

const image = (type = 'image/png; q=1', status = 200): CheckAnswer => ({
  status,
  headers: ['Content-Type', type],
  text: bytes.toString(),
  bytes,
});

const ask = async (json: JsonObject, provider = 'openai') => {
  const requests: CheckRequest[] = [];
  const check = inlineImageUrls.create(
    { providers: ['openai'], maxSizeBytes: 10, timeoutMs: 500 },
    {
      http: {
        send: async (request) => {
          requests.push(request);
          return image();
        },
      },
      timers: createVirtualClock(0),
      placeholder: () => '',
    },
  );
  const verdict = await check({
    phase: 'input',
    text: '',
    spans: [],
    metadata: {},
    tenant: 't' as TenantId,
    request: { json, headers: [], dialect: 'chat', operation: 'converse' },
    target: { provider },
    cancellation: neverCancelled,
  });
  return { ...verdict, requests };
};

const chat = (...urls: readonly string[]): JsonObject => ({
  messages: [
    { role: 'user', content: urls.map((each) => ({ type: 'image_url', image_url: { url: each, detail: 'low' } })) },
  ],
});

describe('default.inlineImageUrls', () => {
  const dataUrl = `data:image/png;base64,${data}`;

  it.each([
    ['chat', chat(url), chat(dataUrl)],
    [
      'responses',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] },
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: dataUrl }] }] },
    ],
    [
      'messages',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'tool_result', content: [{ type: 'image', source: { type: 'url', url } }] }],
          },
        ],
      },
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
              },
            ],
          },
        ],
      },
    ],
    [
      'gemini',
      {
        contents: [
          {
            parts: [
              { fileData: { mimeType: 'image/png', fileUri: url } },
              { file_data: { mime_type: 'image/png', file_uri: url } },
            ],
          },
        ],
      },
      {
        contents: [
          { parts: [{ inlineData: { mimeType: 'image/png', data } }, { inlineData: { mimeType: 'image/png', data } }] },
        ],
      },
    ],
  ])('puts the image into a request in %s', async (_dialect, body, inlined) => {
    const { body: found, requests } = await ask({ model: 'm', ...body });
    expect(found).toEqual({ model: 'm', ...inlined });
    expect(requests).toMatchObject([{ method: 'GET', url, urlFromText: true, timeoutMs: 500, maxBytes: 10 }]);
  });

  it('leaves everything else unchanged', async () => {
    const others: readonly JsonObject[] = [
      chat(dataUrl),
      chat('gs://bucket/a.png'),
      { contents: [{ parts: [{ fileData: { mimeType: 'video/mp4', fileUri: url } }] }] },
      {
        contents: [
          {
            parts: [
              {
                fileData: {
                  mimeType: 'image/png',
                  fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a',
                },
              },
            ],
          },
        ],
      },
      { messages: [{ role: 'user', content: 'words' }], tools: [{ type: 'image_url', image_url: { url } }] },
    ];
    for (const body of others) {
      const { body: found, requests } = await ask(body);
      expect([found, requests]).toEqual([undefined, []]);
    }
  });

  it('applies only to the listed providers', async () => {
    const { body, requests } = await ask(chat(url), 'anthropic');
    expect([body, requests]).toEqual([undefined, []]);
  });

  it('fetches each image once, within the size limit of all images together', async () => {
    const { requests } = await ask(chat(url, url, 'https://img.test/b.png'));
    expect(requests.map(({ url: asked, maxBytes }) => [asked, maxBytes])).toEqual([
      [url, 10],
      ['https://img.test/b.png', 6],
    ]);
  });

  it('reports an error if an image cannot be fetched, and rejects invalid parameters', () => {
    const parameters = { providers: ['openai'] };
    const many = chat(...Array.from({ length: 21 }, (_, at) => `https://img.test/${at}`));
    return testGuardrail(inlineImageUrls, [
      { parameters, request: chat(url), service: () => image(), verdict: 'pass', data: { images: 1 } },
      { parameters, request: chat(url), service: () => image('text/html'), verdict: 'error' },
      { parameters, request: chat(url), service: () => image('image/png', 404), verdict: 'error' },
      { parameters, request: chat(url), verdict: 'error' },
      { parameters, request: many, service: () => image(), verdict: 'error' },
      { parameters: {}, verdict: 'refused' },
      { parameters: { providers: [] }, verdict: 'refused' },
      { parameters: { providers: ['openai'], maxSizeBytes: 0 }, verdict: 'refused' },
    ]);
  });
});
