import type { Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type Provider, pieces, type Said, toArguments, withNoise } from './script.ts';

const event = (type: string, more: JsonObject = {}): Frame => ({
  event: type,
  data: JSON.stringify({ type, ...more }),
});

interface Block {
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
  readonly whole: JsonObject;
}

const page = {
  ...{ type: 'web_search_result_location', cited_text: 'c', url: 'https://a.example', title: 'A' },
  encrypted_index: 'eA==',
};

const toBlock = (said: Said, at: number): Block => {
  const { kind, text, cut } = said;
  const cited = { type: 'citations_delta', citation: page };
  const spoken = pieces(said).map((piece) => ({ type: 'text_delta', text: piece }));
  const json = (whole: JsonObject, input: string): Block => ({
    start: { ...whole, input: {} },
    deltas: ['', ...pieces({ text: input, cut })].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    whole,
  });
  switch (kind) {
    case 'text':
      return { start: { type: 'text', text: '' }, deltas: spoken, whole: { type: 'text', text } };
    case 'cited early':
    case 'cited late':
      return {
        start: { type: 'text', text: '', citations: [] },
        deltas: kind === 'cited early' ? [cited, ...spoken] : [...spoken, cited],
        whole: { type: 'text', text, citations: [page] },
      };
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...pieces(said).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
          { type: 'signature_delta', signature: 'c2ln' },
        ],
        whole: { type: 'thinking', thinking: text, signature: 'c2ln' },
      };
    case 'search':
      return json(
        { type: 'server_tool_use', id: `srv_${at}`, name: 'web_search', input: { said: text } },
        toArguments(said),
      );
    case 'no arguments': {
      const whole = { type: 'tool_use', id: `call_${at}`, name: 'f', input: {} };
      return { start: whole, deltas: [], whole };
    }
    default:
      return json({ type: 'tool_use', id: `call_${at}`, name: 'f', input: { said: text } }, toArguments(said));
  }
};

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
export const messagesProvider: Provider = {
  kinds: ['text', 'cited early', 'cited late', 'thinking', 'call', 'no arguments', 'search'],
  write(script) {
    const blocks = script.said.map(toBlock);
    const isCalling = blocks.some(({ whole }) => whole.type === 'tool_use');
    const stop_reason = script.isCutShort ? 'max_tokens' : isCalling ? 'tool_use' : 'end_turn';
    const end = { stop_reason, stop_sequence: null };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
    const open = { ...message, content: [], stop_reason: null, usage: { input_tokens: 9, output_tokens: 1 } };
    const frames = [
      event('message_start', { message: open }),
      ...blocks.flatMap(({ start, deltas }, index) => [
        event('content_block_start', { index, content_block: start }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', { delta: end, usage: { output_tokens: 7 } }),
      event('message_stop'),
    ];
    return {
      whole: {
        ...message,
        content: blocks.map(({ whole }) => whole),
        ...end,
        usage: { input_tokens: 9, output_tokens: 7 },
      },
      frames: withNoise(frames, script, [event('ping'), event('news', { index: 0, delta: { text: 'x' } })]),
    };
  },
};
