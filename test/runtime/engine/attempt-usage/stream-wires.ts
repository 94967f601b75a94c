import type { Route } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/** The token counts of a provider. */
export interface Figures {
  readonly input: number;
  /** The cached part of `input`. */
  readonly cached: number;
  readonly output: number;
  /** Whether `output` counts only the first words. */
  readonly isStart?: boolean;
}

/** Where a stream reports its usage. */
export type UsageMode = 'own-frame' | 'with-choices' | 'every-frame' | 'nowhere';

export interface StreamScript {
  readonly words: readonly string[];
  readonly figures: Figures;
  readonly mode: UsageMode;
}

/** One event of a provider's stream. */
export interface ScriptFrame {
  readonly text: string;
  /** What a client that did not request usage gets if the gateway did; undefined if nothing. */
  readonly unasked: string | undefined;
  readonly says: string;
  /** The counts that are known after the frame. */
  readonly figures?: Figures;
}

/** A provider's format, as far as usage is concerned. */
export interface StreamWire {
  readonly frames: (script: StreamScript) => readonly ScriptFrame[];
  /** Whether the last frame marks itself as the last. */
  readonly closes: boolean;
}

const sse = (data: object, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

const openaiCounts = ({ input, cached, output }: Figures): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
});

const openaiWire =
  (choice: (text: string, finish: string | null) => object): StreamWire['frames'] =>
  ({ words, figures, mode }) => {
    const head = { id: 'a', object: 'chunk', created: 1, model: 'm-1' };
    const frame = (choices: readonly object[], says: string, known?: Figures): ScriptFrame => {
      const chunk = { ...head, choices };
      const counted = { ...chunk, usage: known === undefined ? null : openaiCounts(known), system_fingerprint: 'fp' };
      const plain = { ...chunk, system_fingerprint: 'fp' };
      const isCounted = known !== undefined || mode === 'own-frame';
      return {
        text: sse(isCounted ? counted : plain),
        unasked: choices.length === 0 ? undefined : sse(plain),
        says,
        ...(known === undefined ? {} : { figures: known }),
      };
    };
    const soFar = (output: number): Figures | undefined =>
      mode === 'every-frame' ? { ...figures, output } : undefined;
    return [
      frame([choice('', null)], '', soFar(0)),
      ...words.map((word, at) => frame([choice(word, null)], word, soFar(at + 1))),
      frame([choice('', 'stop')], '', mode === 'with-choices' || mode === 'every-frame' ? figures : undefined),
      ...(mode === 'own-frame' ? [frame([], '', figures)] : []),
      { text: 'data: [DONE]\n\n', unasked: 'data: [DONE]\n\n', says: '' },
    ];
  };

const same = (text: string, says: string, figures?: Figures): ScriptFrame => ({
  text,
  unasked: text,
  says,
  ...(figures === undefined ? {} : { figures }),
});

const messagesFrames: StreamWire['frames'] = ({ words, figures, mode }) => {
  const { input, cached, output } = figures;
  const counts = { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: 1 };
  const isReported = mode !== 'nowhere';
  const message = { id: 'a', type: 'message', role: 'assistant', model: 'm-1', content: [], stop_reason: null };
  const delta = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
  return [
    same(
      sse({ type: 'message_start', message: isReported ? { ...message, usage: counts } : message }, 'message_start'),
      '',
      isReported ? { input, cached, output: 1, isStart: true } : undefined,
    ),
    same(
      sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'content_block_start'),
      '',
    ),
    ...words.map((word) =>
      same(
        sse(
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } },
          'content_block_delta',
        ),
        word,
      ),
    ),
    same(sse({ type: 'content_block_stop', index: 0 }, 'content_block_stop'), ''),
    same(
      sse(isReported ? { ...delta, usage: { output_tokens: output } } : delta, 'message_delta'),
      '',
      isReported ? figures : undefined,
    ),
    same(sse({ type: 'message_stop' }, 'message_stop'), ''),
  ];
};

const geminiFrames: StreamWire['frames'] = ({ words, figures, mode }) => {
  const frame = (text: string, more: object, known?: Figures): ScriptFrame => {
    const content = { parts: [{ text }], role: 'model' };
    const counts = known && {
      promptTokenCount: known.input,
      cachedContentTokenCount: known.cached,
      candidatesTokenCount: known.output,
    };
    const response = { candidates: [{ content, index: 0, ...more }], modelVersion: 'm-1' };
    return same(sse(known === undefined ? response : { ...response, usageMetadata: counts }), text, known);
  };
  return [
    ...words.map((word, at) => frame(word, {}, mode === 'every-frame' ? { ...figures, output: at + 1 } : undefined)),
    frame('', { finishReason: 'STOP' }, mode === 'nowhere' ? undefined : figures),
  ];
};

const chat: StreamWire = {
  frames: openaiWire((content, finish_reason) => ({ index: 0, delta: { content }, logprobs: null, finish_reason })),
  closes: true,
};
const completions: StreamWire = {
  frames: openaiWire((text, finish_reason) => ({ index: 0, text, logprobs: null, finish_reason })),
  closes: true,
};
const messages: StreamWire = { frames: messagesFrames, closes: true };
const gemini: StreamWire = { frames: geminiFrames, closes: false };

/** A client's dialect and a provider. */
export interface Road {
  readonly provider: string;
  readonly wire: StreamWire;
  readonly isTranslated: boolean;
  readonly route: Route;
  /** The body of a request that contains `text`, and the number of bytes in its strings. */
  readonly body: (text: string) => JsonObject;
  readonly bodyBytes: (text: string) => number;
  /** Whether the gateway requests usage from the provider, which the client can also do itself. */
  readonly asks: boolean;
}

const chatRoute: Route = { operation: 'converse', dialect: 'chat' };
const chatBody = (content: string): JsonObject => ({ model: 'm', messages: [{ role: 'user', content }], stream: true });
const chatBytes = (text: string): number => 'm'.length + 'user'.length + text.length;

export const roads: Readonly<Record<string, Road>> = {
  'chat at openai': {
    provider: 'openai',
    wire: chat,
    isTranslated: false,
    route: chatRoute,
    body: chatBody,
    bodyBytes: chatBytes,
    asks: true,
  },
  'completions at openai': {
    provider: 'openai',
    wire: completions,
    isTranslated: false,
    route: { operation: 'complete', dialect: 'completions' },
    body: (prompt) => ({ model: 'm', prompt, stream: true }),
    bodyBytes: (text) => 'm'.length + text.length,
    asks: true,
  },
  'messages at anthropic': {
    provider: 'anthropic',
    wire: messages,
    isTranslated: false,
    route: { operation: 'converse', dialect: 'messages' },
    body: (content) => ({ ...chatBody(content), max_tokens: 9 }),
    bodyBytes: chatBytes,
    asks: false,
  },
  'gemini at google': {
    provider: 'google',
    wire: gemini,
    isTranslated: false,
    route: { operation: 'converse', dialect: 'gemini', model: 'm', stream: true },
    body: (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
    bodyBytes: (text) => 'user'.length + text.length,
    asks: false,
  },
  'chat at anthropic': {
    provider: 'anthropic',
    wire: messages,
    isTranslated: true,
    route: chatRoute,
    body: chatBody,
    bodyBytes: chatBytes,
    asks: false,
  },
  'messages at openai': {
    provider: 'openai',
    wire: chat,
    isTranslated: true,
    route: { operation: 'converse', dialect: 'messages' },
    body: (content) => ({ ...chatBody(content), max_tokens: 9 }),
    bodyBytes: chatBytes,
    asks: true,
  },
  'chat at google': {
    provider: 'google',
    wire: gemini,
    isTranslated: true,
    route: chatRoute,
    body: chatBody,
    bodyBytes: chatBytes,
    asks: false,
  },
};
