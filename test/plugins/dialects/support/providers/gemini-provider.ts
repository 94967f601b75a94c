import type { Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type Provider, pieces, type Said, withNoise } from './script.ts';

const base = { modelVersion: 'm', responseId: 'r1' };
const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 7, totalTokenCount: 16 };

const chunk = (parts: readonly JsonObject[] | undefined, more: JsonObject = {}, beside: JsonObject = {}): Frame => ({
  data: JSON.stringify({
    candidates: [{ index: 0, ...(parts === undefined ? {} : { content: { role: 'model', parts } }), ...more }],
    ...base,
    ...beside,
  }),
});

const toPart = ({ kind, text }: Said, at: number): JsonObject => {
  switch (kind) {
    case 'text':
      return { text };
    case 'thinking':
      return { text, thought: true };
    case 'image':
      return { inlineData: { mimeType: 'image/png', data: 'aW1n' } };
    case 'signed call':
      return { functionCall: { id: `call_${at}`, name: 'f', args: { said: text } }, thoughtSignature: 'c2ln' };
    default:
      return { functionCall: { id: `call_${at}`, name: 'f', args: { said: text } } };
  }
};

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
export const geminiProvider: Provider = {
  kinds: ['text', 'thinking', 'call', 'signed call', 'image'],
  write(script) {
    const finishReason = script.isCutShort ? 'MAX_TOKENS' : 'STOP';
    const parts = script.said.map(toPart);
    const frames = [
      ...script.said.flatMap((said, at) => {
        const part = parts[at] ?? {};
        return part.text === undefined
          ? [chunk([part])]
          : pieces(said).map((text) => chunk([{ ...part, text }], {}, { usageMetadata: { promptTokenCount: 9 } }));
      }),
      chunk([{ text: '' }], { finishReason }, { usageMetadata }),
    ];
    return {
      whole: { candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }], ...base, usageMetadata },
      frames: withNoise(frames, script, [chunk([{ text: '' }]), chunk([]), chunk(undefined)]),
    };
  },
};
