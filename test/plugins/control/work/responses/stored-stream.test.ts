import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseRewriter } from '../../../../../plugins/control/work/responses/response-rewriter.ts';
import { type Keep, StoredStream } from '../../../../../plugins/control/work/responses/stored-stream.ts';
import { parseFrame } from '../../../../../plugins/sdk/framings/sse.ts';
import type { Sink, StreamBody } from '../../../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';

const written = (event: JsonObject): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const response = { id: 'resp_1', object: 'response', status: 'completed', store: true, output: [] };
const events: readonly JsonObject[] = [
  { type: 'response.created', response: { ...response, status: 'in_progress' } },
  { type: 'response.output_text.delta', delta: 'response.completed "response":{} \n\n' },
  { type: 'response.completed', response },
];
const text = `: a comment\n\n${events.map(written).join('')}data: [DONE]\n\n`;

/** A body that arrives in chunks, and then ends or breaks off. */
const toBody = (chunks: readonly string[], breaks = false): StreamBody => ({
  kind: 'stream',
  start: (sink) => {
    for (const chunk of chunks) sink.write(Buffer.from(chunk));
    if (breaks) sink.fail({} as never);
    else sink.end();
  },
  discard: () => {},
  onEnd: () => {},
});

const toChunks = (cuts: readonly number[]): readonly string[] => {
  const at = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
};

const sent = (body: StreamBody): Promise<{ readonly text: string; readonly end: string }> =>
  new Promise((resolve) => {
    let all = '';
    const sink: Sink = {
      write: (chunk) => {
        all += Buffer.from(chunk).toString();
        return true;
      },
      onDrain: () => {},
      end: () => resolve({ text: all, end: 'complete' }),
      fail: () => resolve({ text: all, end: 'failed' }),
    };
    body.start(sink);
  });

const keeping = (body: JsonObject, outcome: Awaited<ReturnType<Keep>> = 'kept') => {
  const kept: JsonObject[] = [];
  const keep: Keep = async (each) => {
    kept.push(each);
    return outcome;
  };
  return { kept, keeping: { form: new ResponseRewriter({ body, keeps: true, id: 'gw-resp-1' }), keep } };
};

const toData = (stream: string): readonly JsonObject[] =>
  stream
    .split('\n\n')
    .map((block) => parseFrame(`${block}\n\n`)?.data ?? '')
    .filter((data) => data.startsWith('{'))
    .map((data) => JSON.parse(data));

describe('a stream that is stored', () => {
  it('has the bytes that arrived, however they are split into chunks, if its provider stores it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 6 }), async (cuts) => {
        const { kept, keeping: how } = keeping({});
        expect(await sent(new StoredStream(toBody(toChunks(cuts)), how))).toEqual({ text, end: 'complete' });
        expect(kept).toEqual([response]);
      }),
    );
  });

  it('has one id in all events, and the members of the request, if no provider stores it', async () => {
    const translated = text.replaceAll('"store":true', '"store":false');
    const { kept, keeping: how } = keeping({ metadata: { a: 'b' }, previous_response_id: 'resp_0' });
    const said = toData((await sent(new StoredStream(toBody([translated]), how))).text);
    const own = { id: 'gw-resp-1', store: true, metadata: { a: 'b' }, previous_response_id: 'resp_0' };
    expect(said).toMatchObject([{ response: own }, events[1], { response: own }]);
    expect(kept).toMatchObject([own]);
  });

  it('reports in its last event that it could not be stored', async () => {
    const { keeping: how } = keeping({}, 'too-large');
    const said = toData((await sent(new StoredStream(toBody([text]), how))).text);
    expect(said.at(-1)).toMatchObject({ response: { id: 'resp_1', store: false } });
  });

  it('is not stored if it breaks off', async () => {
    const { kept, keeping: how } = keeping({});
    const end = text.indexOf('event: response.completed') + 40;
    expect(await sent(new StoredStream(toBody([text.slice(0, end)], true), how))).toMatchObject({ end: 'failed' });
    expect(kept).toEqual([]);
  });
});
