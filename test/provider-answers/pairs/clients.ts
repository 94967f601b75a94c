import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { Dialect, FramingId } from '../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import { operations } from '../../../plugins/sdk/exchange/operations.ts';
import type { Conversation } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { bodies } from '../../fuzz/support/bodies.ts';

/** A client of a dialect, at one of its paths. */
export interface Client {
  readonly name: string;
  readonly dialect: Dialect;
  readonly stream: boolean;
  readonly framing: FramingId;
  /** Whether its requests are forms. */
  readonly isForm: boolean;
  /** Returns the path and the body of a request for a model. */
  request(model: string): { readonly path: string; readonly body: JsonObject };
}

const conversation = (stream: boolean, model: string): Conversation => ({
  model,
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'How is the weather in Lyon?' }] }],
  tools: [
    {
      kind: 'function',
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  ],
  sampling: { maxTokens: 500 },
  stream,
  extensions: {},
});

const toBody = ({ id, conversation: codec, count }: Dialect, stream: boolean, model: string): JsonObject => {
  const encoder = codec ?? count;
  if (encoder === undefined) {
    const { stream: _stream, ...body } = bodies[id]?.requests?.[0] ?? {};
    return stream ? { ...body, stream } : body;
  }
  const target = { provider: id, strict: true, drop: new Set<string>(), scope: 'here' };
  return encoder.encodeRequest(conversation(stream, model), target).body;
};

/** The clients at the first path of a dialect for whole answers, and for streams in each framing. */
const clientsOf = (dialect: Dialect): readonly Client[] => {
  const { id, routes = [], framing: own = 'sse' } = dialect;
  const mayStream = operations[dialect.operation].mayStream && findAnswerCodec(dialect) !== undefined;
  return [false, ...(mayStream ? [true] : [])].flatMap((stream) => {
    const route = routes.find((each) => (each.stream ?? stream) === stream && each.modelInBody === undefined);
    if (route === undefined) return [];
    const queries = stream && route.framing !== undefined ? ['?alt=sse', ''] : [''];
    return queries.map((query): Client => {
      const framing = route.framing?.(new URLSearchParams(query)) ?? own;
      const root = /^\/(?:v\d|model|openai)/.test(route.path) ? '' : '/v1';
      return {
        ...{ name: `${id}${stream ? `, ${framing}` : ''}`, dialect, stream, framing: stream ? framing : own },
        isForm: route.hasForms === true,
        request: (model) => {
          const body = toBody(dialect, stream, model);
          const isInPath = route.path.includes('{model}');
          return {
            path: `${root}${route.path.replace('{model}', model)}${query}`,
            body: isInPath ? body : { ...body, model, ...(stream ? { stream } : {}) },
          };
        },
      };
    });
  });
};

/** Every client of the first-party dialects. */
export const clients: readonly Client[] = builtinDialects
  .filter(({ routes = [] }) => routes.length > 0)
  .flatMap(clientsOf);
