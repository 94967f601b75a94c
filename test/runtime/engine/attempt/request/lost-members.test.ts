import { describe, expect, it } from 'vitest';
import type { Route } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { type GatewayResponse, headerValue } from '../../../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { type StubHandler, type StubUpstreams, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';
import { tongueRoute, tongueWith } from '../../../../support/plugins/tongue.ts';

const plugins = [tongueWith({ tongue: '/say' })];
const answering: StubHandler = () => stubAnswer({ say: 'yes' });
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const dropped = ({ headers }: GatewayResponse): string | undefined => headerValue(headers, 'x-gw-dropped-params');

const sentTo = ({ requests }: StubUpstreams): unknown => {
  const body = requests[0]?.body;
  return body?.kind === 'bytes' ? JSON.parse(Buffer.from(body.bytes).toString()) : undefined;
};

const ask = (params: JsonObject, upstream = answering, config: JsonObject = {}) =>
  runConfig({ provider: 'own', ...config }, { upstream, plugins }).handle(sampleExchange({ ...question, ...params }));

describe('what a translation loses', () => {
  it('is reported with the answer', async () => {
    expect(dropped(await ask({ seed: 1 }))).toBe('sampling.seed');
    expect(dropped(await ask({}))).toBeUndefined();
  });

  it('is reported with a stream, an error and the answer after a retry', async () => {
    const text = 'event: say\ndata: {"say":"one"}\n\nevent: done\ndata: {}\n\n';
    const streaming: StubHandler = () => stubAnswer(text, { headers: ['content-type', 'text/event-stream'] });
    const streamed = await ask({ seed: 1, stream: true }, streaming);
    expect([streamed.body.kind, dropped(streamed)]).toEqual(['stream', 'sampling.seed']);
    expect(dropped(await ask({ seed: 1 }, () => stubAnswer({}, { status: 404 })))).toBe('sampling.seed');
    let calls = 0;
    const second: StubHandler = () => {
      calls += 1;
      return stubAnswer({ say: 'yes' }, { status: calls === 1 ? 500 : 200 });
    };
    const retried = await ask({ seed: 1 }, second, { retry: { attempts: 1 } });
    expect([retried.status, dropped(retried)]).toEqual([200, 'sampling.seed']);
  });

  it("is nothing if the provider speaks the client's dialect", async () => {
    const { handle } = runConfig({ provider: 'own' }, { upstream: answering, plugins });
    expect(dropped(await handle(sampleExchange({ seed: 1 }, { route: tongueRoute })))).toBeUndefined();
  });

  it('does not include the usage of a stream if nobody requested it', async () => {
    const claude = { provider: 'anthropic', api_key: '${env:KEY}' };
    const { handle } = runConfig(claude, { upstream: () => stubAnswer({}, { status: 500 }), onLoss: 'refuse' });
    expect(await handle(sampleExchange({ ...question, stream: true }))).toMatchObject({ status: 500 });
    const whole = await handle(sampleExchange({ ...question, seed: 1 }));
    expect(whole).toMatchObject({ status: 400, cause: 'loss-refused' });
  });

  it('is refused by name if the gateway is configured so, and another target can serve the request', async () => {
    const { handle, upstreams } = runConfig({ provider: 'own' }, { upstream: answering, plugins, onLoss: 'refuse' });
    const response = await handle(sampleExchange({ ...question, seed: 1 }));
    expect(response).toMatchObject({ status: 400, origin: 'gateway', cause: 'loss-refused' });
    expect(JSON.stringify(toJson(response))).toContain('What would be lost: sampling.seed.');
    expect(upstreams.requests).toEqual([]);
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 200 });

    const fallback = { strategy: { mode: 'fallback' }, targets: [{ provider: 'own' }, { provider: 'echo' }] };
    const both = runConfig(fallback, { upstream: answering, plugins, onLoss: 'refuse' });
    const second = await both.handle(sampleExchange({ ...question, seed: 1 }));
    expect(second).toMatchObject({ status: 200, leaf: { provider: 'echo' } });
    expect(dropped(second)).toBeUndefined();
  });
});

describe('members that a provider does not accept in its own dialect', () => {
  const azure = {
    provider: 'azure-ai',
    api_key: '${env:KEY}',
    clouda_deployment_name: 'deepseek',
    clouda_deployment_type: 'serverless',
    clouda_region: 'eastus',
  };
  const groq = { provider: 'groq', api_key: '${env:KEY}' };
  const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } };
  const withFile = { model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, file] }] };

  it('are reported: parameters that its form of the dialect lacks', async () => {
    const { handle, upstreams } = runConfig(azure, { upstream: answering });
    const response = await handle(sampleExchange({ ...question, reasoning_effort: 'low', user: null }));
    expect(dropped(response)).toBe('reasoning_effort');
    expect(sentTo(upstreams)).toEqual({ ...question, user: null });
    expect(dropped(await handle(sampleExchange(question)))).toBeUndefined();
  });

  it.each([azure, groq])('are reported: content that $provider lacks', async (config) => {
    const { handle, upstreams } = runConfig(config, { upstream: answering });
    expect(dropped(await handle(sampleExchange(withFile)))).toBe('turns[0].parts[1].media');
    expect(sentTo(upstreams)).toMatchObject({ messages: [{ role: 'user', content: 'hi' }] });
  });

  it('are refused if the gateway is configured so', async () => {
    const options = { upstream: answering, onLoss: 'refuse' } as const;
    const effort = { ...question, reasoning_effort: 'low' };
    const refused = await Promise.all([
      runConfig(azure, options).handle(sampleExchange(effort)),
      runConfig(groq, options).handle(sampleExchange(withFile)),
    ]);
    for (const response of refused) expect(response).toMatchObject({ status: 400, cause: 'loss-refused' });
  });

  it('do not affect the bytes of other requests', async () => {
    const { handle, upstreams } = runConfig(groq, { upstream: answering });
    const bytes = Buffer.from('{ "model":"m" ,"messages":[] }');
    const request = {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: [],
      body: { kind: 'bytes', bytes },
    } as const;
    await handle(sampleExchange({}, { request }));
    expect(upstreams.requests[0]?.body).toEqual({ kind: 'bytes', bytes });
  });
});

const messagesRoute: Route = { operation: 'converse', dialect: 'messages' };

describe('a document at an address', () => {
  const url = 'https://example.com/a.pdf';
  const text = { type: 'text', text: 'hi' };
  const document = { type: 'document', title: 'a.pdf', source: { type: 'url', url } };
  const asked = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [text, document] }] };
  const file = { type: 'file', file: { filename: 'a.pdf', file_data: url } };
  const pdf = { type: 'document_url', document_url: url, document_name: 'a.pdf' };

  it.each([
    ['mistral-ai', [text, pdf], undefined],
    ['openai', 'hi', 'turns[0].parts[1].media'],
  ])('of a client of Anthropic is sent to %s if that loads it', async (provider, content, lost) => {
    const { handle, upstreams } = runConfig({ provider, api_key: '${env:KEY}' }, { upstream: answering });
    const response = await handle(sampleExchange(asked, { route: messagesRoute }));
    expect([sentTo(upstreams), dropped(response)]).toMatchObject([{ messages: [{ role: 'user', content }] }, lost]);
  });

  it('of a client of Gemini is sent to OpenRouter', async () => {
    const { handle, upstreams } = runConfig({ provider: 'openrouter', api_key: '${env:KEY}' }, { upstream: answering });
    const parts = [{ text: 'hi' }, { fileData: { fileUri: url, mimeType: 'application/pdf' } }];
    const route: Route = { operation: 'converse', dialect: 'gemini', model: 'm' };
    await handle(sampleExchange({ contents: [{ role: 'user', parts }] }, { route }));
    const named = { ...file, file: { filename: 'document.pdf', file_data: url } };
    expect(sentTo(upstreams)).toMatchObject({ messages: [{ role: 'user', content: [text, named] }] });
  });

  it('of a client of OpenRouter is sent to Mistral in its form', async () => {
    const { handle, upstreams } = runConfig({ provider: 'mistral-ai', api_key: '${env:KEY}' }, { upstream: answering });
    await handle(sampleExchange({ model: 'm', messages: [{ role: 'user', content: [text, file] }] }));
    expect(sentTo(upstreams)).toMatchObject({ messages: [{ role: 'user', content: [text, pdf] }] });
  });

  it('in a bucket, which only its cloud can read, is reported as lost', async () => {
    const stored = { ...document, source: { type: 'url', url: 's3://bucket/a.pdf' } };
    const { handle } = runConfig({ provider: 'mistral-ai', api_key: '${env:KEY}' }, { upstream: answering });
    const body = { ...asked, messages: [{ role: 'user', content: [text, stored] }] };
    expect(dropped(await handle(sampleExchange(body, { route: messagesRoute })))).toBe('turns[0].parts[1].media');
  });
});
