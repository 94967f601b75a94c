import { errorReport } from '../../../schema/errors/errors.ts';
import { isSuccess } from '../../../schema/http/status.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { Dialect, Frame } from '../../sdk/dialect/dialect.ts';
import { providerFraming } from '../../sdk/framings/provider-framing.ts';
import type { RawHeaders, Scope, UpstreamAnswer } from '../../sdk/http/http.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { type BodyScript, scriptedBody } from '../../sdk/http/scripted-body.ts';
import { wait } from '../../sdk/time/wait.ts';
import { textAnswer, wordEvents } from '../samples/sample-answers.ts';
import type { UpstreamReply } from './replies.ts';

/** The call that is being answered. */
export interface ReplyCall {
  /** The dialect of the request. Absent for a passed-through request. */
  readonly dialect: Dialect | undefined;
  readonly model: string;
  /** Whether it asks for a stream. */
  readonly stream: boolean;
  readonly scope: Scope;
  readonly timers: Timers;
}

const options = { provider: 'test', strict: true, streamUsage: false };

const goodBody = (text: string, { dialect, model }: ReplyCall): JsonObject =>
  dialect?.conversation?.encodeAnswer(textAnswer(text, model), options) ?? {};

const badBody = (status: number, { dialect }: ReplyCall): JsonObject =>
  dialect?.encodeWireError({ message: `The test answers ${status}.`, type: 'test' }, status) ?? {};

const wantsStream = ({ stream, dialect }: ReplyCall): boolean => dialect?.conversation !== undefined && stream;

const lost = errorReport('connection-lost', { host: 'the test', reason: 'the stream was cut.' });

type Stream = Extract<UpstreamReply, { kind: 'stream' }>;

const streamScript = ({ words, cutAfter, wordMs }: Stream, { dialect, model }: ReplyCall): BodyScript => {
  const encoder = dialect?.conversation?.streamEncoder(options);
  const writer = providerFraming(dialect).createWriter();
  const written = (frames: readonly Frame[] = []): Buffer => writer.write(frames);
  const steps = wordEvents(words, model).map((event) => ({
    bytes: event.kind === 'text' && encoder === undefined ? Buffer.from(event.text) : written(encoder?.push(event)),
    isWord: event.kind === 'text',
  }));
  const end = steps.findIndex(
    ({ isWord }, at) => isWord && steps.slice(0, at).filter((step) => step.isWord).length === cutAfter,
  );
  const kept = end < 0 ? [...steps, { bytes: written(encoder?.end()), isWord: false }] : steps.slice(0, end);
  return {
    steps: kept
      .filter(({ bytes }) => bytes.length > 0)
      .map(({ bytes, isWord }) => ({ bytes, waitMs: isWord ? wordMs : 0 })),
    end: end < 0 ? 'complete' : lost,
  };
};

const answer = (
  status: number,
  headers: RawHeaders,
  { script, call }: { readonly script: BodyScript; readonly call: ReplyCall },
): UpstreamAnswer => ({
  kind: 'answer',
  status,
  headers,
  body: scriptedBody(script, { timers: call.timers, cancellation: call.scope.cancellation }),
});

const streamAnswer = (reply: Stream, call: ReplyCall): UpstreamAnswer =>
  answer(200, ['content-type', providerFraming(call.dialect).contentType], { script: streamScript(reply, call), call });

const wholeAnswer = (reply: Extract<UpstreamReply, { kind: 'answer' }>, call: ReplyCall): UpstreamAnswer => {
  const { status, headers, text, body } = reply;
  const written = body ?? (isSuccess(status) ? goodBody(text, call) : badBody(status, call));
  const script: BodyScript = { steps: [{ bytes: Buffer.from(JSON.stringify(written)) }], end: 'complete' };
  return answer(status, ['content-type', 'application/json', ...Object.entries(headers).flat()], { script, call });
};

const cancelled: UpstreamAnswer = {
  kind: 'failure',
  error: errorReport('connection-lost', { host: 'the test', reason: 'the request was cancelled.' }),
};

/** Creates the answer of a reply to a call, in the call's dialect. */
export const replyAnswer = async (reply: UpstreamReply, call: ReplyCall): Promise<UpstreamAnswer> => {
  const { timers, scope } = call;
  switch (reply.kind) {
    case 'refusal':
      return { kind: 'failure', error: errorReport('connection-failed', { host: 'the test', reason: 'refused.' }) };
    case 'silence':
      return await new Promise((resolve) => {
        scope.cancellation.onCancel(() => resolve(cancelled));
      });
    case 'stream':
    case 'answer': {
      if (reply.afterMs > 0 && !(await wait(reply.afterMs, timers, scope.cancellation))) return cancelled;
      if (reply.kind === 'stream') return streamAnswer(reply, call);
      const asStream = reply.body === undefined && isSuccess(reply.status) && wantsStream(call);
      return asStream
        ? streamAnswer({ kind: 'stream', words: [reply.text], cutAfter: undefined, wordMs: 0, afterMs: 0 }, call)
        : wholeAnswer(reply, call);
    }
  }
};
