import type { Cohere } from 'cohere-ai';
import { readArgs } from '../read-args.ts';
import type { Said } from '../tell.ts';
import { usageOf } from './cohere-usage.ts';

interface Block {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** What a stream says. The library has no helper for it: https://docs.cohere.com/docs/streaming */
export const saidByStream = async (stream: AsyncIterable<Cohere.V2ChatStreamResponse>): Promise<Said> => {
  let said: Said = { text: '', reasoning: '', calls: [], refusal: '', finish: '' };
  const blocks = new Map<number, Block>();
  for await (const event of stream) {
    switch (event.type) {
      case 'content-delta': {
        const { text = '', thinking = '' } = event.delta?.message?.content ?? {};
        said = { ...said, text: said.text + text, reasoning: said.reasoning + thinking };
        break;
      }
      case 'tool-call-start': {
        const { id = '', function: called } = event.delta?.message?.toolCalls ?? {};
        blocks.set(event.index ?? 0, { id, name: called?.name ?? '', input: called?.arguments ?? '' });
        break;
      }
      case 'tool-call-delta': {
        const block = blocks.get(event.index ?? 0);
        if (block === undefined) throw new Error('A delta of a call comes before its start.');
        const more = event.delta?.message?.toolCalls?.function?.arguments ?? '';
        blocks.set(event.index ?? 0, { ...block, input: block.input + more });
        break;
      }
      case 'message-end':
        said = { ...said, finish: event.delta?.finishReason ?? '', ...usageOf(event.delta?.usage) };
        break;
      case 'message-start':
      case 'content-start':
      case 'content-end':
      case 'tool-call-end':
        break;
      default:
        throw new Error(`An event has the unknown type ${event.type}.`);
    }
  }
  const calls = [...blocks.values()].map(({ id, name, input }) => ({ id, name, args: readArgs(input) }));
  return { ...said, calls };
};
