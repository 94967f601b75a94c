import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { providerFraming } from '../../plugins/sdk/framings/provider-framing.ts';
import type { Scope, Upstream, UpstreamAnswer, UpstreamRequest } from '../../plugins/sdk/http/http.ts';
import { type BodyScript, scriptedBody } from '../../plugins/sdk/http/scripted-body.ts';
import { toBuffer } from '../../plugins/sdk/http/to-buffer.ts';
import { type ErrorReport, errorReport } from '../../schema/errors/errors.ts';
import { fromJson } from '../../schema/json/from-json.ts';
import { isJsonObject } from '../../schema/json/json.ts';
import type { UpstreamFault, UpstreamStep } from '../../schema/trail/request-script.ts';
import type { Clock } from '../ports/clock.ts';
import { toReadable } from '../upstream/to-readable.ts';
import { plainAnswer, plainStream } from './plain-answer.ts';
import type { StreamExtent } from './plain-completion.ts';

export interface ScriptedUpstreamOptions {
  readonly clock: Clock;
  /** Returns the step for the current call. */
  readonly step: () => UpstreamStep;
  /** Waits until it is a step's turn. Undefined if it is now. */
  readonly turn: (step: UpstreamStep) => Promise<void> | undefined;
  /** Returns the dialect of the current call. */
  readonly dialect: () => Dialect | undefined;
  /** Whether the client asks for a stream, if the body of the call does not say so. */
  readonly stream: () => boolean;
}

const faultReport = (error: Exclude<UpstreamFault, 'hang' | 'in-band'>, host: string): ErrorReport => {
  switch (error) {
    case 'refused':
      return errorReport('connection-failed', { host, reason: 'it refused the connection.' });
    case 'busy':
      return errorReport('pool-full', { host });
    case 'cut':
      return errorReport('connection-lost', { host, reason: 'the connection broke.' });
  }
};

/** Returns the `stream` of a body. Undefined if it has none. */
const findStream = ({ body }: UpstreamRequest): boolean | undefined => {
  if (body.kind !== 'bytes') return undefined;
  try {
    const value: unknown = fromJson(toBuffer(body.bytes).toString());
    return isJsonObject(value) && typeof value.stream === 'boolean' ? value.stream : undefined;
  } catch {
    return undefined;
  }
};

/** Sends nothing until the call is cancelled. */
const hang = (host: string, { cancellation }: Scope): Promise<UpstreamAnswer> =>
  new Promise((resolve) => {
    cancellation.onCancel(() => resolve({ kind: 'failure', error: faultReport('cut', host) }));
  });

/** Waits for something, but no longer than a call lasts. */
const untilCancelled = (work: Promise<void>, { cancellation }: Scope): Promise<void> =>
  new Promise((resolve) => {
    const stop = cancellation.onCancel(() => resolve());
    work.then(() => {
      stop();
      resolve();
    });
  });

const contentType = ({ body }: UpstreamStep, stream: boolean, dialect: Dialect | undefined): string => {
  if (stream) return providerFraming(dialect).contentType;
  return typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
};

/** Whether a step's error comes after the first content. */
const isLate = ({ stream, error }: UpstreamStep): boolean =>
  stream === true && (error === 'hang' || error === 'cut' || error === 'in-band');

/** Whether nothing of the request is read, because there is no connection. */
const isUnread = ({ unread = false, error }: UpstreamStep): boolean =>
  unread || error === 'refused' || error === 'busy';

const toExtent = (step: UpstreamStep): StreamExtent => {
  if (step.error === undefined) return 'whole';
  return isLate(step) ? 'begun' : 'preamble';
};

const streamBytes = (step: UpstreamStep, dialect: Dialect | undefined): Buffer => {
  const writer = providerFraming(dialect).createWriter();
  const bytes = plainStream({ dialect, extent: toExtent(step), writer });
  if (step.error !== 'in-band' || dialect === undefined) return bytes;
  const error = dialect.encodeStreamError(errorReport('stream-error', { reason: 'as the script says.' }));
  return Buffer.concat([bytes, writer.write([error])]);
};

const bodyBytes = (step: UpstreamStep, stream: boolean, dialect: Dialect | undefined): Buffer => {
  const { body, status = 200, judged: hasText = false } = step;
  if (typeof body === 'string') return Buffer.from(body);
  if (body !== undefined) return Buffer.from(JSON.stringify(body));
  return stream ? streamBytes(step, dialect) : Buffer.from(JSON.stringify(plainAnswer(dialect, { status, hasText })));
};

const toEnd = ({ error }: UpstreamStep, host: string): BodyScript['end'] => {
  if (error === undefined || error === 'in-band') return 'complete';
  return error === 'hang' ? 'silence' : faultReport(error, host);
};

const toAnswer = (
  step: UpstreamStep,
  {
    stream,
    host,
    scope,
    dialect,
  }: {
    readonly stream: boolean;
    readonly host: string;
    readonly scope: Scope;
    readonly dialect: Dialect | undefined;
  },
  { clock }: ScriptedUpstreamOptions,
): UpstreamAnswer => {
  const given = Object.entries(step.headers ?? {}).flat();
  const hasType = Object.keys(step.headers ?? {}).some((name) => name.toLowerCase() === 'content-type');
  const bytes = bodyBytes(step, stream, dialect);
  return {
    kind: 'answer',
    status: step.status ?? 200,
    headers: hasType ? given : ['content-type', contentType(step, stream, dialect), ...given],
    body: scriptedBody(
      { steps: [{ bytes }], end: toEnd(step, host) },
      { timers: clock, cancellation: scope.cancellation },
    ),
  };
};

/** Creates an upstream that follows the steps of a script. Nothing leaves this process. */
export const scriptedUpstream = (options: ScriptedUpstreamOptions): Upstream => ({
  send: async (request, scope) => {
    const step = options.step();
    const { status = 200, error } = step;
    const host = request.origin.replace(/^[a-z-]+:\/\//, '');
    if (request.body.kind === 'stream' && !isUnread(step)) toReadable(request.body.stream).read();
    const stream =
      step.stream ?? (error === 'in-band' || (status === 200 && (findStream(request) ?? options.stream())));
    const dialect = options.dialect();
    const turn = options.turn(step);
    if (turn !== undefined) await untilCancelled(turn, scope);
    if (error === undefined || error === 'in-band' || isLate(step))
      return toAnswer(step, { stream, host, scope, dialect }, options);
    if (error === 'hang' && step.isExpired === true && !scope.cancellation.cancelled)
      return { kind: 'failure', error: errorReport('request-timeout', { ms: 0 }) };
    return error === 'hang' ? hang(host, scope) : { kind: 'failure', error: faultReport(error, host) };
  },
});
