import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../plugins/dialects/cohere/cohere.ts';
import { gemini } from '../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../plugins/dialects/responses/responses.ts';
import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Framing } from '../../../plugins/sdk/framings/framing.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import type { StreamTranslation } from '../../../runtime/streams/create-relay.ts';
import { openStream } from '../../../runtime/streams/stream-gate.ts';
import { streamingDialects } from '../../support/torn/whole-streams.ts';
import { cancelSource, manualClock, recordingSink, scriptedBody } from './kit.ts';

const { sse } = framings;
const jsonFrame = (data: object, event?: string): Frame => ({ ...(event && { event }), data: JSON.stringify(data) });

const between = (upstream: Dialect, client: Dialect, from: Framing): StreamTranslation => {
  const decoder = upstream.conversation?.streamDecoder({ scope: 'here' });
  const encoder = client.conversation?.streamEncoder({ provider: 'p', strict: true, streamUsage: false });
  if (decoder === undefined || encoder === undefined) return expect.unreachable();
  return { upstream, client, from, translate: { decoder, encoder } };
};

/** Returns what the client of a stream receives, and how the stream ends. */
const receive = async (translation: StreamTranslation, pieces: readonly Buffer[]): Promise<object> => {
  const body = scriptedBody();
  const opening = openStream({
    body,
    translation,
    clock: manualClock(),
    idleMs: 1000,
    cancellation: cancelSource(),
  });
  for (const piece of pieces) body.send(piece);
  body.end();
  const opened = await opening;
  if (opened.kind === 'refused') return { end: 'refused', code: opened.error.code };
  const sink = recordingSink();
  opened.body.start(sink);
  const end = await new Promise((resolve) => opened.body.onEnd(resolve));
  return { end, text: sink.text };
};

const answer = [
  jsonFrame({ type: 'message_start', message: { id: 'm', model: 'm' } }, 'message_start'),
  jsonFrame(
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    'content_block_delta',
  ),
  jsonFrame({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, 'message_delta'),
  jsonFrame({ type: 'message_stop' }, 'message_stop'),
];

describe('a stream', () => {
  it('is complete, whatever follows its last frame', async () => {
    const framing = framings['aws-eventstream'];
    const pieces = [framing.createWriter().write(answer), Buffer.alloc(40, 'x'), Buffer.alloc(40, 'y')];
    const received = await receive(between(messages, chat, framing), pieces);
    expect(received).toMatchObject({ end: 'complete', text: expect.stringMatching(/\[DONE\]\n\n$/) });
  });

  it('opens at the end of its answer even if the frame has another name', async () => {
    const last = jsonFrame({ type: 'response.incomplete', response: { status: 'incomplete' } }, 'response.news');
    const received = await receive(between(responses, chat, sse), [sse.createWriter().write([last])]);
    expect(received).toMatchObject({ end: 'complete', text: expect.stringMatching(/\[DONE\]\n\n$/) });
  });

  it.each(streamingDialects.flatMap((dialect) => [sse, framings['aws-eventstream']].map((to) => ({ dialect, to }))))(
    'of $dialect.id is refused if its first content cannot be read, in the framing $to.id',
    async ({ dialect, to }) => {
      const frame = {
        ...(dialect.id === 'converse' && { event: 'contentBlockDelta' }),
        data: '<html>Bad gateway</html>',
      };
      const received = await receive({ upstream: dialect, client: dialect, from: sse, to }, [
        sse.createWriter().write([frame]),
      ]);
      expect(received).toEqual({ end: 'refused', code: 'unreadable-answer' });
    },
  );

  it('is cut if it has nothing for its first choice', async () => {
    const choice = { index: -1, delta: { content: 'Hi' }, finish_reason: 'stop' };
    const frames = [jsonFrame({ id: 'a', model: 'm', choices: [choice] }), { data: '[DONE]' }];
    const received = await receive(between(chat, messages, sse), [sse.createWriter().write(frames)]);
    expect(received).toMatchObject({
      end: 'failed',
      text: expect.stringMatching(/event: error\ndata: .*stream-cut.*\n\n$/),
    });
  });

  it('of responses is cut if a tool call still has no name when it is whole', async () => {
    const call = { type: 'function_call', id: 'i', call_id: 'c' };
    const received = await receive(between(responses, chat, sse), [
      sse.createWriter().write([
        jsonFrame({ type: 'response.output_item.added', output_index: 0, item: call }),
        jsonFrame({ type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'i', delta: '{"a":1}' }),
        jsonFrame({
          type: 'response.output_item.done',
          output_index: 0,
          item: { ...call, arguments: '{"a":1}' },
        }),
        jsonFrame({ type: 'response.completed', response: { status: 'completed', output: [] } }),
      ]),
    ]);
    expect(received).toMatchObject({ end: 'failed', text: expect.stringContaining('stream-cut') });
  });

  it('is cut if a tool call has no name, because no client could run it', async () => {
    const received = await receive(between(cohere, chat, sse), [
      sse.createWriter().write([
        jsonFrame({ type: 'message-start', id: 'm' }),
        jsonFrame({
          type: 'tool-call-start',
          index: 0,
          delta: { message: { tool_calls: { id: 'c', function: {} } } },
        }),
        jsonFrame({ type: 'tool-call-end', index: 0 }),
        jsonFrame({ type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } }),
      ]),
    ]);
    expect(received).toMatchObject({ end: 'failed', text: expect.stringContaining('stream-cut') });
  });

  it('in one JSON array ends with an error at a frame that is not JSON, unless it was complete', async () => {
    const first = jsonFrame({ candidates: [{ content: { parts: [{ text: 'Hi' }] } }] });
    const finished = jsonFrame({ candidates: [{ finishReason: 'STOP' }] });
    const odd = { data: 'not JSON' };
    const translation = { upstream: gemini, client: gemini, from: sse, to: framings['json-array'] };
    const frames = (list: readonly Frame[]): readonly Buffer[] => [sse.createWriter().write(list)];
    const broken = await receive(translation, frames([first, odd, finished]));
    expect(broken).toMatchObject({ end: 'failed', text: expect.stringMatching(/"Hi".*,\r\n\{"error":.*\}\]$/s) });
    const whole = await receive(translation, frames([first, finished, odd]));
    expect(whole).toEqual({ end: 'complete', text: `[${first.data},\r\n${finished.data}]` });
  });
});
