import { isSampled } from '../../../support/run/sampled-pairs.ts';
import type { UpstreamHandler } from '../../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../../support/vendors/openai-wire.ts';
import type { Story } from './story.ts';

const toCredential = (call: Parameters<UpstreamHandler>[0]): string =>
  call.request.header('authorization') ?? call.request.header('api-key') ?? '';

const answering: UpstreamHandler = (call) => {
  if (JSON.parse(call.request.text() || '{}').stream !== true) return call.json(openaiAnswer({ text: 'Hello.' }));
  const stream = call.sse();
  for (const frame of openaiStream({ text: 'Hello.' })) stream.send(frame);
  stream.end();
};

/** Failures of an upstream whose texts quote the credential. */
const failures: Readonly<Record<string, UpstreamHandler>> = {
  'a refusal': (call) => {
    const error = { message: `Incorrect API key provided: ${toCredential(call)}.`, type: 'invalid_request_error' };
    call.json({ error }, { status: 401 });
  },
  'an error': (call) => call.json({ error: { message: `Failed for ${toCredential(call)}` } }, { status: 503 }),
  'a text': (call) =>
    call.answer({ status: 500, headers: { 'content-type': 'text/plain' }, body: `No: ${toCredential(call)}` }),
  'a page': (call) =>
    call.answer({ status: 502, headers: { 'content-type': 'text/html' }, body: `<p>${toCredential(call)}</p>` }),
  'a redirection': (call) =>
    call.answer({ status: 307, headers: { location: `/v1/else?key=${encodeURIComponent(toCredential(call))}` } }),
  'a header': (call) =>
    call.json({ error: { message: 'No.' } }, { status: 400, headers: { 'x-seen': toCredential(call) } }),
};

/** Invalid answers that quote the credential, for operations whose answers the gateway reads. */
const unreadable: Readonly<Record<string, UpstreamHandler>> = {
  'no JSON': (call) =>
    call.answer({ status: 200, headers: { 'content-type': 'application/json' }, body: `{${toCredential(call)}` }),
  'no HTTP': (call) => {
    call.raw(`HTTP/1.1 ${toCredential(call)}\r\n\r\n`);
    call.cut();
  },
  'a torn answer': (call) => call.answer({ body: `{"a":"${toCredential(call)}`, cutAfter: 60 }),
  'an error in a stream': (call) => {
    const stream = call.sse();
    stream.frame({ error: { message: `Failed for ${toCredential(call)}` } });
    stream.end();
  },
  nothing: (call) => call.cut('reset'),
};

const messages = [{ role: 'user', content: 'Hello!' }];

/** Ways to request a model, by the name that each has saved. */
const ways: readonly (readonly [path: string, headers: Readonly<Record<string, string>>, model: string])[] = [
  ['/chat/completions', {}, 'm'],
  ['/chat/completions', { 'x-gw-config': 'single' }, 'm'],
  ['/chat/completions', { 'x-gw-config': 'plain', 'x-gw-debug': 'true' }, 'm'],
  ['/messages', { 'x-gw-config': 'plain' }, 'm'],
  ['/responses', { 'x-gw-config': 'plain' }, 'm'],
  ['/chat/completions', { 'x-gw-virtual-key': 'vk' }, 'm'],
  ['/chat/completions', {}, '@of-shared/m'],
  ['/chat/completions', { 'x-gw-provider': '@pool-of-one' }, 'm'],
  ['/chat/completions', {}, '@pool-of-several/m'],
  ['/responses', { 'x-gw-provider': '@pool-of-several' }, 'm'],
  ['/completions', { 'x-gw-provider': '@main' }, 'm'],
  ['/embeddings', { 'x-gw-provider': '@main' }, 'm'],
  ['/files', { 'x-gw-provider': '@main' }, 'm'],
  ['/chat/completions', { 'x-gw-provider': '@bedrock' }, 'm'],
  ['/chat/completions', { 'x-gw-provider': '@vertex' }, 'm'],
  ['/chat/completions', { 'x-gw-provider': '@azure-openai', 'x-gw-request-timeout': '1000' }, 'm'],
];

/** Requests models in every way while upstreams and webhooks answer, and in some ways while upstreams fail in each way. */
export const serveRequests = async (story: Story, key: string): Promise<void> => {
  const { tried, upstream, hook } = story;
  hook.handle((call) => call.json({ verdict: true }));
  const askAll = async (asked = ways, streams = [false, true]): Promise<void> => {
    for (const [path, headers, model] of asked)
      for (const stream of streams) {
        const body = { model, stream, messages, input: 'x', prompt: 'x', max_tokens: 5 };
        await tried(`POST ${path}`, { key, headers, body });
      }
    await tried('POST /prompts/greet/completions', { key, body: { variables: { name: 'Ann' } } });
  };
  upstream.handle(answering);
  await askAll();
  for (const [handlerAt, [name, handler]] of Object.entries({ ...failures, ...unreadable }).entries()) {
    upstream.handle(handler);
    const sampled = ways.filter((_, wayAt) => isSampled(handlerAt, wayAt, 4));
    const streams = [false, true].filter((_, at) => isSampled(handlerAt, at, 2));
    await askAll(name in unreadable ? sampled.filter(([path]) => path !== '/files') : sampled, streams);
  }
  upstream.handle(answering);
  const judges: readonly UpstreamHandler[] = [
    (call) => call.json({ verdict: false, data: { why: 'No.' } }),
    (call) => call.json({ verdict: false, data: { seen: [call.request.header('authorization')] } }),
    (call) => call.json({ verdict: true, data: call.request.header('authorization') }),
    (call) => call.json({ error: call.request.header('authorization') }, { status: 401 }),
    (call) => call.answer({ status: 200, body: `{${call.request.header('authorization')}` }),
    (call) => call.json({ verdict: call.request.header('authorization') }),
    (call) => call.cut('reset'),
  ];
  for (const judge of judges) {
    hook.handle(judge);
    for (const config of ['single', 'app'])
      await tried('POST /chat/completions', {
        key,
        headers: { 'x-gw-config': config },
        body: { model: 'm', messages },
      });
  }
};
