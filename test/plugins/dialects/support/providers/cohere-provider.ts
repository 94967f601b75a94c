import type { Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type Provider, pieces, toArguments, withNoise } from './script.ts';

const event = (type: string, more: JsonObject = {}): Frame => ({
  event: type,
  data: JSON.stringify({ type, ...more }),
});
const inMessage = (message: JsonObject): JsonObject => ({ delta: { message } });

/** https://docs.cohere.com/v2/docs/streaming */
export const cohereProvider: Provider = {
  kinds: ['text', 'cited', 'thinking', 'call'],
  write(script) {
    const content: JsonObject[] = [];
    const calls: JsonObject[] = [];
    const citations: JsonObject[] = [];
    const frames: Frame[] = [event('message-start', { id: 'co_1', ...inMessage({ role: 'assistant' }) })];
    for (const said of script.said) {
      const { kind, text } = said;
      if (kind === 'call') {
        const index = calls.length;
        const call = { id: `call_${index}`, type: 'function', function: { name: 'f', arguments: toArguments(said) } };
        calls.push(call);
        const start = { ...call, function: { name: 'f', arguments: '' } };
        frames.push(event('tool-call-start', { index, ...inMessage({ tool_calls: start }) }));
        for (const piece of pieces({ ...said, text: toArguments(said) }))
          frames.push(
            event('tool-call-delta', { index, ...inMessage({ tool_calls: { function: { arguments: piece } } }) }),
          );
        frames.push(event('tool-call-end', { index }));
        continue;
      }
      const index = content.length;
      const type = kind === 'thinking' ? 'thinking' : 'text';
      content.push({ type, [type]: text });
      frames.push(event('content-start', { index, ...inMessage({ content: { type, [type]: '' } }) }));
      for (const piece of pieces(said))
        frames.push(event('content-delta', { index, ...inMessage({ content: { [type]: piece } }) }));
      if (kind === 'cited') {
        const sources = [{ type: 'document', id: 'd', document: { id: 'd', title: 'D' } }];
        const citation = { start: 0, end: text.length, text, sources, content_index: index, type: 'TEXT_CONTENT' };
        frames.push(event('citation-start', { index: citations.length, ...inMessage({ citations: citation }) }));
        citations.push(citation);
      }
      frames.push(event('content-end', { index }));
    }
    const finish_reason = script.isCutShort ? 'MAX_TOKENS' : calls.length > 0 ? 'TOOL_CALL' : 'COMPLETE';
    const usage = { tokens: { input_tokens: 9, output_tokens: 7 } };
    frames.push(event('message-end', { delta: { finish_reason, usage } }));
    const said = { content, tool_calls: calls, citations };
    return {
      whole: {
        ...{ id: 'co_1', finish_reason, usage },
        message: {
          role: 'assistant',
          ...Object.fromEntries(Object.entries(said).filter(([, list]) => list.length > 0)),
        },
      },
      frames: withNoise(frames, script, [event('debug', { prompt: 'x' }), event('news')]),
    };
  },
};
