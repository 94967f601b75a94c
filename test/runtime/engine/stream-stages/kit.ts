import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../../plugins/dialects/cohere/cohere.ts';
import { completions } from '../../../../plugins/dialects/completions/completions.ts';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { AnswerCodec, Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { Framing } from '../../../../plugins/sdk/framings/framing.ts';
import { framings } from '../../../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../../../plugins/sdk/framings/provider-framing.ts';
import {
  defineGuardrail,
  type Guardrail,
  type GuardrailDefinition,
} from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { GatewayResponse, UpstreamBody } from '../../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { answerOptions } from '../../../plugins/dialects/support/codecs.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { speaking, streamedRequest } from '../../../support/plugins/speaking.ts';

/** The dialects that can be translated into each other. */
export const conversing: readonly Dialect[] = [chat, messages, responses, gemini, converse, cohere];

/** Every pair of a client and an upstream. */
export const pairs: readonly { readonly client: Dialect; readonly upstream: Dialect; readonly name: string }[] = [
  ...conversing.flatMap((client) => conversing.map((upstream) => ({ client, upstream }))),
  { client: completions, upstream: completions },
].map((pair) => ({ ...pair, name: `${pair.upstream.id} for a client of ${pair.client.id}` }));

const toCodec = (dialect: Dialect): AnswerCodec => {
  const codec = findAnswerCodec(dialect);
  if (codec === undefined) throw new Error(`The answers of ${dialect.id} cannot be read.`);
  return codec;
};

/** The frames of a stream as a provider of the dialect sends them. */
export const toFrames = (dialect: Dialect, events: readonly AnswerEvent[]): readonly Frame[] => {
  // Not strict, so that chat contains reasoning too.
  const encoder = toCodec(dialect).streamEncoder({ ...answerOptions, strict: false });
  return events.flatMap((event) => encoder.push(event));
};

export const toBytes = (dialect: Dialect, frames: readonly Frame[]): Buffer => {
  const writer = providerFraming(dialect).createWriter();
  return Buffer.concat([writer.write(frames), writer.end()]);
};

/** Cuts bytes at these places. */
export const cutAt = (bytes: Buffer, places: readonly number[]): readonly Buffer[] => {
  const borders = [0, ...places.map((at) => at % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return borders
    .slice(1)
    .map((end, at) => bytes.subarray(borders[at], end))
    .filter(({ length }) => length > 0);
};

interface BodyEnd {
  /** How the body breaks off; absent if it is complete. */
  readonly cut?: ErrorReport;
  /** Awaited before the last chunk. */
  readonly pause?: Promise<void>;
}

/** A body in chunks, each sent as soon as there is room, like a socket. */
export class ChunkedBody implements UpstreamBody {
  readonly #chunks: readonly Buffer[];
  readonly #how: BodyEnd;
  isDiscarded = false;
  /** How often it had to wait for room. */
  waits = 0;
  #hasPaused = false;

  constructor(chunks: readonly Buffer[], how: BodyEnd) {
    this.#chunks = chunks;
    this.#how = how;
  }

  collect(): Promise<Buffer> {
    return Promise.resolve(Buffer.concat(this.#chunks));
  }

  start(sink: Parameters<UpstreamBody['start']>[0]): void {
    const send = (at: number): void => {
      if (this.isDiscarded) return;
      const chunk = this.#chunks[at];
      const { cut, pause } = this.#how;
      if (chunk === undefined) {
        if (cut === undefined) sink.end();
        else sink.fail(cut);
      } else if (at > 0 && at === this.#chunks.length - 1 && pause !== undefined && !this.#hasPaused) {
        this.#hasPaused = true;
        void pause.then(() => send(at));
      } else if (sink.write(chunk)) queueMicrotask(() => send(at + 1));
      else {
        this.waits += 1;
        sink.onDrain(() => send(at + 1));
      }
    };
    queueMicrotask(() => send(0));
  }

  discard(): void {
    this.isDiscarded = true;
  }
}

/** A guardrail that denies texts with the word. With `parts`, it judges in windows. */
export const never = (word: string, more: Partial<GuardrailDefinition<{ type: 'object' }>> = {}): Guardrail =>
  defineGuardrail({
    id: 'test.never',
    parameters: { type: 'object' },
    create:
      () =>
      ({ text }) => ({ pass: !text.includes(word), data: {} }),
    ...more,
  });

/** The same guardrail, judging in windows. */
export const neverInWindows = (word: string): Guardrail => never(word, { parts: () => ({ overlap: word.length - 1 }) });

export interface StreamRun extends BodyEnd {
  readonly client: Dialect;
  readonly upstream: Dialect;
  readonly chunks: readonly Buffer[];
  readonly guardrails: Plugin['guardrails'];
  readonly config: object;
  readonly overrides?: Exchange['overrides'];
  /** Called with the client's bytes as they arrive. */
  readonly onBytes?: (bytes: Buffer) => void;
}

export interface StreamedResult {
  readonly status: number;
  readonly cause: string | undefined;
  readonly bytes: Buffer;
  /** The frames of a stream; none for another answer. */
  readonly frames: readonly Frame[];
  readonly trail: Exchange['trail'];
  /** One body for each attempt. */
  readonly bodies: readonly ChunkedBody[];
}

const splitFrames = (framing: Framing, bytes: Buffer): readonly Frame[] => {
  const splitter = framing.createSplitter();
  return [...splitter.push(bytes).frames, ...splitter.rest().frames].map(({ end: _end, ...frame }) => frame);
};

/** Runs one request for a whole answer. */
export const runWhole = async ({
  client,
  upstream,
  answer,
  guardrails,
  config,
}: Pick<StreamRun, 'client' | 'upstream' | 'guardrails' | 'config'> & { readonly answer: JsonObject }): Promise<{
  readonly status: number;
  readonly trail: Exchange['trail'];
}> => {
  const { handle } = runConfig(
    { provider: 'speaker', ...config },
    {
      upstream: () => stubAnswer(answer),
      plugins: [speaking(upstream), definePlugin({ name: 'test', guardrails: guardrails ?? [] })],
    },
  );
  const { stream: _stream, ...request } = streamedRequest(client, 'hi');
  const exchange = sampleExchange(request, {
    route: { operation: client.operation, dialect: client.id, model: 'm', stream: false },
  });
  const { status } = await handle(exchange);
  return { status, trail: exchange.trail };
};

const receiveBody = (
  body: GatewayResponse['body'],
  onBytes: (bytes: Buffer) => void = () => {},
): Promise<{ readonly bytes: Buffer }> => {
  if (body.kind === 'bytes') return Promise.resolve({ bytes: Buffer.from(body.bytes) });
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    body.start({
      write: (chunk) => {
        chunks.push(Buffer.from(chunk));
        onBytes(Buffer.from(chunk));
        return true;
      },
      onDrain: () => {},
      end: () => resolve({ bytes: Buffer.concat(chunks) }),
      fail: ({ message }) => reject(new Error(message)),
    });
  });
};

/** Runs one request for a stream through a gateway with these guardrails. */
export const runStream = async (run: StreamRun): Promise<StreamedResult> => {
  const { client, upstream, guardrails, config } = run;
  const bodies: ChunkedBody[] = [];
  const answer = (): ChunkedBody => {
    const body = new ChunkedBody(run.chunks, run);
    bodies.push(body);
    return body;
  };
  const framing = providerFraming(upstream);
  const { handle } = runConfig(
    { provider: 'speaker', ...config },
    {
      upstream: () => ({ kind: 'answer', status: 200, headers: ['content-type', framing.contentType], body: answer() }),
      plugins: [speaking(upstream), definePlugin({ name: 'test', guardrails: guardrails ?? [] })],
    },
  );
  const exchange = sampleExchange(streamedRequest(client, 'hi'), {
    route: { operation: client.operation, dialect: client.id, model: 'm', stream: true },
    overrides: run.overrides ?? {},
  });
  const response = await handle(exchange);
  const received = await receiveBody(response.body, run.onBytes);
  const bytes = Buffer.from(received.bytes);
  return {
    status: response.status,
    cause: response.cause,
    bytes,
    frames: response.body.kind === 'stream' ? splitFrames(framings[client.framing ?? 'sse'], bytes) : [],
    trail: exchange.trail,
    bodies,
  };
};

const textsAt = (value: Json, at: string, add: (at: string, text: string) => void): void => {
  if (typeof value === 'string') add(at, value);
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) textsAt(item, `${at}/${index}`, add);
  else if (isJsonObject(value)) for (const [key, inner] of Object.entries(value)) textsAt(inner, `${at}/${key}`, add);
};

const parsed = (text: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
};

const findChoice = (frame: Json): Json | undefined => {
  if (!isJsonObject(frame)) return undefined;
  const list = frame.choices ?? frame.candidates;
  const [first] = Array.isArray(list) ? list : [];
  return isJsonObject(first) ? first.index : frame.index;
};

/**
 * Returns everything that a client can read: every string of every frame, and the joined strings at one place in the
 * frames of one choice. Escapes are decoded, and the strings of JSON within strings are included.
 */
export const toReadable = (frames: readonly Frame[]): readonly string[] => {
  const joined = new Map<string, string>();
  for (const { data } of frames) {
    const frame = parsed(data);
    if (frame === undefined) joined.set(data, data);
    else
      textsAt(frame, `${findChoice(frame)}`, (at, text) => {
        joined.set(at, (joined.get(at) ?? '') + text);
        joined.set(`${at} ${text}`, text);
      });
  }
  return [...joined.values()].flatMap((text) => {
    const unescaped = text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    const inside: string[] = [];
    const value = parsed(text);
    if (value !== undefined) textsAt(value, '', (_, inner) => void inside.push(inner));
    return [text, unescaped, ...inside];
  });
};
