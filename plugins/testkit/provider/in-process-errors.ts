import type { Answer } from '../../../schema/conversation/answer.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { ConversationCodec, Dialect, Frame } from '../../sdk/dialect/dialect.ts';
import { providerFraming } from '../../sdk/framings/provider-framing.ts';
import type { Upstream, UpstreamRequest } from '../../sdk/http/http.ts';
import { toBuffer } from '../../sdk/http/to-buffer.ts';
import { toPath } from '../../sdk/provider/fill-model.ts';
import type { Provider } from '../../sdk/provider/provider.ts';
import { readDrop } from '../../sdk/provider/read-drop.ts';
import { createCancellation, neverCancelled } from '../route/cancellation.ts';
import { receiveBody } from '../route/received-body.ts';
import { createVirtualClock } from '../route/virtual-clock.ts';
import { plainConversation } from '../samples/sample-conversations.ts';

interface Conversing {
  readonly dialect: Dialect;
  readonly codec: ConversationCodec;
}

const request = (provider: Provider, { dialect, codec }: Conversing, stream: boolean): UpstreamRequest => {
  const { body } = codec.encodeRequest(
    { ...plainConversation, stream },
    { provider: provider.id, strict: true, drop: new Set(readDrop(provider, {})), scope: '' },
  );
  const endpoint = provider.speaks[dialect.id] ?? '/';
  return {
    method: 'POST',
    origin: 'http://in-process.invalid',
    path: toPath(endpoint, { call: { settings: {}, model: 'a-model', stream }, provider: provider.id }),
    headers: ['content-type', 'application/json'],
    body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
  };
};

const received = async (upstream: Upstream, sent: UpstreamRequest): Promise<Buffer> => {
  const answer = await upstream.send(sent, { cancellation: neverCancelled, attempt: 1 });
  if (answer.kind === 'failure') throw new Error(answer.error.message);
  const { bytes, failure } = await receiveBody(answer.body);
  if (failure !== undefined) throw new Error(failure.message);
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${toBuffer(bytes)}`);
  return toBuffer(bytes);
};

const wholeAnswer = (codec: ConversationCodec, bytes: Buffer): Answer => {
  const value: unknown = fromJson(bytes.toString('utf8'));
  if (!isJsonObject(value)) throw new Error('the answer is not a JSON object');
  return codec.decodeAnswer(value, { scope: '' });
};

const readFrames = (dialect: Dialect, bytes: Buffer): readonly Frame[] => {
  const splitter = providerFraming(dialect).createSplitter();
  return [...splitter.push(bytes).frames, ...splitter.rest().frames];
};

const streamError = ({ dialect, codec }: Conversing, bytes: Buffer): string | undefined => {
  const frames = readFrames(dialect, bytes);
  const decoder = codec.streamDecoder({ scope: '' });
  const events = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
  const failed = events.find((event) => event.kind === 'error');
  if (failed !== undefined) return `its stream fails: ${failed.error.message}`;
  return frames.some((frame) => dialect.classify(frame) === 'content') ? undefined : 'its stream has no content';
};

const conversationErrors = async (provider: Provider, conversing: Conversing): Promise<readonly string[]> => {
  const { dialect, codec } = conversing;
  const clock = createVirtualClock();
  const upstream = provider.inProcess?.(clock);
  if (upstream === undefined) return [];
  const errors: string[] = [];
  try {
    const answer = wholeAnswer(codec, await clock.settle(received(upstream, request(provider, conversing, false))));
    if (answer.choices.length === 0) errors.push(`its answer in ${dialect.id} has no choices`);
    const error = streamError(conversing, await clock.settle(received(upstream, request(provider, conversing, true))));
    if (error !== undefined) errors.push(`in ${dialect.id} ${error}`);
    const { cancellation, cancel } = createCancellation();
    cancel();
    const late = await clock.settle(upstream.send(request(provider, conversing, true), { cancellation, attempt: 1 }));
    if (late.kind === 'answer') late.body.discard();
    if (clock.pending > 0) errors.push(`in ${dialect.id} it leaves a timer running after the client has disconnected`);
  } catch (error) {
    errors.push(`in ${dialect.id} it does not answer: ${errorText(error)}`);
  }
  return errors;
};

/** Tests an in-process provider in each of the given dialects that it speaks, whole and streamed. */
export const inProcessErrors = async (provider: Provider, dialects: readonly Dialect[]): Promise<readonly string[]> => {
  const errors: string[] = [];
  for (const dialect of dialects) {
    const codec = dialect.conversation;
    if (codec === undefined || provider.inProcess === undefined || provider.speaks[dialect.id] === undefined) continue;
    errors.push(...(await conversationErrors(provider, { dialect, codec })));
  }
  return errors;
};
