import type { Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type Provider, pieces, type Said, toArguments, withNoise } from './script.ts';

const event = (name: string, data: JsonObject): Frame => ({ event: name, data: JSON.stringify(data) });

interface Block {
  readonly start?: JsonObject;
  readonly deltas: readonly JsonObject[];
  readonly whole: JsonObject;
}

const citation = {
  ...{ title: 'D', sourceContent: [{ text: 'source' }] },
  location: { documentChar: { documentIndex: 0, start: 0, end: 3 } },
};

const toBlock = (said: Said, at: number): Block => {
  const { kind, text, cut } = said;
  const spoken = pieces(said).map((piece) => ({ text: piece }));
  switch (kind) {
    case 'text':
      return { deltas: spoken, whole: { text } };
    case 'cited':
      return {
        deltas: [...spoken, { citation }],
        whole: { citationsContent: { content: [{ text }], citations: [citation] } },
      };
    case 'thinking':
      return {
        deltas: [...spoken, { signature: 'c2ln' }].map((each) => ({ reasoningContent: each })),
        whole: { reasoningContent: { reasoningText: { text, signature: 'c2ln' } } },
      };
    default: {
      const toolUse = { toolUseId: `call_${at}`, name: 'f' };
      const isBare = kind === 'no arguments';
      return {
        start: { toolUse },
        deltas: isBare ? [] : pieces({ text: toArguments(said), cut }).map((input) => ({ toolUse: { input } })),
        whole: { toolUse: { ...toolUse, input: isBare ? {} : { said: text } } },
      };
    }
  }
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const converseProvider: Provider = {
  kinds: ['text', 'cited', 'thinking', 'call', 'no arguments'],
  write(script) {
    const blocks = script.said.map(toBlock);
    const isCalling = blocks.some(({ whole }) => whole.toolUse !== undefined);
    const stopReason = script.isCutShort ? 'max_tokens' : isCalling ? 'tool_use' : 'end_turn';
    const usage = { inputTokens: 9, outputTokens: 7, totalTokens: 16 };
    const frames = [
      event('messageStart', { role: 'assistant' }),
      ...blocks.flatMap(({ start, deltas }, contentBlockIndex) => [
        ...(start === undefined ? [] : [event('contentBlockStart', { contentBlockIndex, start })]),
        ...deltas.map((delta) => event('contentBlockDelta', { contentBlockIndex, delta })),
        event('contentBlockStop', { contentBlockIndex }),
      ]),
      event('messageStop', { stopReason }),
      event('metadata', { usage }),
    ];
    return {
      whole: {
        output: { message: { role: 'assistant', content: blocks.map(({ whole }) => whole) } },
        stopReason,
        usage,
      },
      frames: withNoise(frames, script, [event('news', { p: 'abc' })]),
    };
  },
};
