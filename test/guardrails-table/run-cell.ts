import { framings } from '../../plugins/sdk/framings/framings.ts';
import { headerValue, type UpstreamAnswer, type UpstreamRequest } from '../../plugins/sdk/http/http.ts';
import { receiveBody } from '../../plugins/testkit/route/received-body.ts';
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts';
import type { CheckPhase } from '../../schema/trail/trail.ts';
import { type RunningConfig, runConfig } from '../support/in-process/run-config.ts';
import { sampleExchange } from '../support/in-process/sample-exchange.ts';
import { hanging, type StubHandler, stubAnswer } from '../support/in-process/stub-upstreams.ts';
import type { PartnerCall } from '../support/partners/partner-stub.ts';
import type { CheckSample, Situation } from './samples/sample.ts';
import type { Speaker } from './speakers/speaker.ts';
import { toolWire } from './speakers/tool-wire.ts';

/** How the service of a check behaves: it answers as documented, fails, or never answers. */
export type ServiceMode = 'answers' | 'fails' | 'hangs';

/** One check in one phase, for clients of one dialect. */
export interface Place {
  readonly sample: CheckSample;
  readonly phase: CheckPhase;
  readonly speaker: Speaker;
}

/** One request. */
export interface Asked {
  readonly situation: Situation;
  readonly stream: boolean;
  readonly service?: ServiceMode;
}

export interface Outcome {
  readonly status: number;
  /** The code of the gateway's error, if the answer is one. */
  readonly code?: unknown;
  /** The result of the check, if the answer shows it. */
  readonly check?: JsonObject;
  readonly text: string;
}

/** The text of the side that is not judged. */
export const neutral = 'Hello.';

/** A request to a service, as the service receives it. */
export const toPartnerCall = ({ origin, method, path, headers, body }: UpstreamRequest, now: number): PartnerCall => ({
  method,
  path,
  header: (name) => (name === 'host' ? new URL(origin).host : headerValue(headers, name)),
  text: body.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '',
  now,
});

const stubbedService =
  ({ service }: CheckSample, mode: () => ServiceMode, now: () => number): StubHandler =>
  (sent, scope) => {
    if (mode() === 'hangs') return hanging(sent, scope);
    if (mode() === 'fails') return stubAnswer({ error: { code: 'Broken' } }, { status: 500 });
    const answer = service?.answer(toPartnerCall(sent, now()));
    if (answer === undefined) throw new Error('The check asks a service, and its sample has none.');
    return stubAnswer(answer.body, {
      status: answer.status,
      headers: ['content-type', 'application/json', ...Object.entries(answer.headers ?? {}).flat()],
    });
  };

/** What the provider answers: a text, or a tool call. */
interface Said {
  readonly text: string;
  readonly tool?: string | undefined;
}

const streamed = ({ dialect, frames, framing }: Speaker, { text, tool }: Said): UpstreamAnswer => {
  const writer = framings[framing].createWriter();
  const said = tool === undefined ? frames?.(text) : toolWire(dialect)?.streamed(tool);
  const bytes = Buffer.concat([writer.write(said ?? []), writer.end()]);
  return stubAnswer(bytes, { headers: ['content-type', framings[framing].contentType] });
};

const whole = ({ dialect, answer }: Speaker, { text, tool }: Said): UpstreamAnswer =>
  stubAnswer(tool === undefined ? answer(text) : (toolWire(dialect)?.called(tool) ?? {}));

const asksForStream = ({ path, body }: UpstreamRequest): boolean =>
  /stream/i.test(path) || (body.kind === 'bytes' && /"stream":\s*true/.test(Buffer.from(body.bytes).toString()));

/** The check's result in the body of a whole answer. */
const checkIn = (body: JsonObject): JsonObject | undefined => {
  const { hook_results: results } = body as { readonly hook_results?: { readonly [phase: string]: unknown } };
  const [hook] = Object.values(results ?? {}).flat() as readonly { readonly checks?: readonly JsonObject[] }[];
  return hook?.checks?.[0];
};

const parsed = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
};

/**
 * Links a caller's config that has this check and denies. The returned function sends requests through it in virtual time, as
 * often as needed.
 */
export const createCell = (
  { sample, phase, speaker }: Place,
  further: JsonObject = {},
): ((asked: Asked) => Promise<Outcome>) => {
  let mode: ServiceMode = 'answers';
  let said: Said = { text: neutral };
  const service: StubHandler = (sent, scope) =>
    stubbedService(
      sample,
      () => mode,
      () => running.clock.wall(),
    )(sent, scope);
  const running: RunningConfig = runConfig(
    {
      ...speaker.target,
      [`${phase}_guardrails`]: [{ [sample.id]: { ...sample.parameters, ...further }, deny: true }],
    },
    {
      trust: 'caller',
      upstream: (sent, scope) => {
        if (sent.origin !== speaker.origin) return service(sent, scope);
        return asksForStream(sent) ? streamed(speaker, said) : whole(speaker, said);
      },
    },
  );
  return async ({ situation, stream, service: wanted = 'answers' }) => {
    const { text, metadata = {}, headers = [], model = 'm', params: more = {}, tool } = situation;
    mode = wanted;
    said = phase === 'output' ? { text, tool } : { text: neutral };
    const offered = tool === undefined ? {} : toolWire(speaker.dialect)?.offered(tool);
    const inBody = stream && speaker.streamsByPath === undefined ? { stream: true } : {};
    const params = { ...speaker.request(phase === 'input' ? text : neutral, model), ...offered, ...more, ...inBody };
    const exchange = sampleExchange(params, {
      route: { ...speaker.route(model), ...(speaker.streamsByPath !== undefined && { stream }) },
      facts: { metadata, params, url: { pathname: '/' } },
      secrets: running.secrets,
    });
    const request = { ...exchange.request, headers };
    const { status, body, cause } = await running.handle({ ...exchange, request });
    const received = await running.clock.settle(receiveBody(body));
    const answer = Buffer.from(received.bytes).toString();
    const check = checkIn(parsed(answer));
    return { status, text: answer, code: cause, ...(check !== undefined && { check }) };
  };
};
