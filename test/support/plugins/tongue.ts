import type { ConversationCodec, Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider, type Endpoint, type Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { Answer } from '../../../schema/conversation/answer.ts';
import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { toPointer } from '../../../schema/json/pointer.ts';

const textIn = (wire: JsonObject): string => (typeof wire.say === 'string' ? wire.say : '');

/** `{ say, knobs }`: the text, and the parameters of the conversation. */
const codec: ConversationCodec = {
  losses: [{ member: 'sampling.seed', why: 'It has no seeds.' }],
  decodeRequest: (wire, { model, stream = false }): Conversation => {
    const knobs = isJsonObject(wire.knobs) ? wire.knobs : {};
    return {
      ...(model === undefined ? {} : { model }),
      system: [],
      turns: [{ role: 'user', parts: [{ kind: 'text', text: textIn(wire) }] }],
      tools: [],
      sampling: typeof knobs.heat === 'number' ? { temperature: knobs.heat } : {},
      stream,
      extensions: {},
    };
  },
  encodeRequest: ({ model = '', turns, sampling: { temperature, seed } }, { scope }) => ({
    body: {
      say: turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))).join(' '),
      named: model,
      scope,
      ...(temperature === undefined ? {} : { knobs: { heat: temperature } }),
    },
    lost: seed === undefined ? [] : ['sampling.seed'],
  }),
  decodeAnswer: (wire, { model = 'nobody' }): Answer => ({
    id: 'a',
    model,
    choices: [{ index: 0, parts: [{ kind: 'text', text: textIn(wire) }], finish: { reason: 'stop' } }],
    extensions: {},
  }),
  encodeAnswer: ({ model, choices }) => ({
    say: choices.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))).join(' '),
    model,
  }),
  streamDecoder: ({ model = 'nobody' }) => ({
    push: ({ event, data }) => {
      if (event === 'done') return [{ kind: 'finish', choice: 0, finish: { reason: 'stop' } }, { kind: 'end' }];
      if (event === 'begin') return [{ kind: 'start', id: 'a', model }];
      return [{ kind: 'text', choice: 0, block: 0, text: textIn(JSON.parse(data)) }];
    },
    end: () => [{ kind: 'error', error: { message: 'It was cut.' } }],
  }),
  streamEncoder: () => ({
    push: (event) => {
      if (event.kind === 'start') return [{ event: 'begin', data: JSON.stringify({ model: event.model }) }];
      if (event.kind === 'text') return [{ event: 'say', data: JSON.stringify({ say: event.text }) }];
      if (event.kind === 'error') return [{ event: 'wrong', data: JSON.stringify(event.error) }];
      return event.kind === 'end' ? [{ event: 'done', data: '{}' }] : [];
    },
    fail: ({ code }) => [{ event: 'wrong', data: JSON.stringify({ code }) }],
    end: () => [],
  }),
};

/** A dialect with the model and the kind of answer in the path, and the parameters in `knobs`. */
const tongue: Dialect = {
  id: 'tongue',
  operation: 'converse',
  framing: 'aws-eventstream',
  routes: [
    { path: '/say/{model}', stream: false },
    { path: '/say/{model}:slowly', stream: true },
  ],
  place: ({ temperature, ...params }, body) => ({
    ...body,
    ...params,
    ...(temperature === undefined
      ? {}
      : { knobs: { ...(isJsonObject(body.knobs) ? body.knobs : {}), heat: temperature } }),
  }),
  classify: ({ event }) => {
    if (event === 'wrong') return 'error';
    if (event === 'done') return 'end';
    return event === 'begin' ? 'preamble' : 'content';
  },
  encodeError: ({ message, code }) => ({ wrong: message, code }),
  encodeStreamError: ({ code }) => ({ event: 'wrong', data: JSON.stringify({ code }) }),
  decodeError: (status, body, headers = []) => ({ message: body, status, type: headers.join(' ') }),
  encodeWireError: ({ message, type = '' }) => ({ wrong: message, type }),
  decodeStreamError: ({ data }) => ({ message: data }),
  texts: (wire) => [{ at: toPointer(['say']), text: textIn(wire), kind: 'text' }],
  conversation: codec,
};

/** A plugin with a provider `own` and the dialect. */
export const tongueWith = (speaks: { readonly [dialect: string]: Endpoint }, more: Partial<Provider> = {}): Plugin =>
  definePlugin({
    name: 'tongue',
    dialects: [tongue],
    providers: [
      defineProvider({
        id: 'own',
        documentation: 'here',
        baseUrl: 'https://own.example/base',
        credential: 'none',
        speaks,
        headers: () => [],
        ...more,
      }),
    ],
  });

/** The route of a request in the dialect. */
export const tongueRoute = { operation: 'converse', dialect: 'tongue', model: 'm', stream: false } as const;
