import type { ConverseStreamOutput } from '@aws-sdk/client-bedrock-runtime';
import type { Call } from '../../scenario.ts';
import { readArgs } from '../read-args.ts';
import type { Said } from '../tell.ts';

interface Block {
  readonly id?: string;
  readonly name?: string;
  readonly input: string;
}

/** What a stream says. The library has no helper for it: https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html */
export const saidByStream = async (stream: AsyncIterable<ConverseStreamOutput>): Promise<Said> => {
  let said: Said = { text: '', reasoning: '', calls: [], refusal: '', finish: '' };
  const blocks = new Map<number, Block>();
  for await (const event of stream) {
    if (event.$unknown !== undefined) throw new Error(`An event has the unknown type ${event.$unknown[0]}.`);
    const { contentBlockStart: start, contentBlockDelta: delta, messageStop: stop, metadata } = event;
    if (start?.start?.toolUse !== undefined) {
      const { toolUseId: id = '', name = '' } = start.start.toolUse;
      blocks.set(start.contentBlockIndex ?? 0, { id, name, input: '' });
    }
    const index = delta?.contentBlockIndex ?? 0;
    const { text = '', reasoningContent, toolUse, $unknown } = delta?.delta ?? {};
    if ($unknown !== undefined) throw new Error(`A delta has the unknown type ${$unknown[0]}.`);
    said = { ...said, text: said.text + text, reasoning: said.reasoning + (reasoningContent?.text ?? '') };
    const block = blocks.get(index);
    if (toolUse !== undefined) {
      if (block === undefined) throw new Error('A delta of a call comes before its start.');
      blocks.set(index, { ...block, input: block.input + (toolUse.input ?? '') });
    }
    if (stop !== undefined) said = { ...said, finish: stop.stopReason ?? '' };
    if (metadata?.usage !== undefined) {
      const { inputTokens = 0, outputTokens = 0 } = metadata.usage;
      said = { ...said, usage: { input: inputTokens, output: outputTokens } };
    }
  }
  return { ...said, calls: [...blocks.values()].map(toCall) };
};

const toCall = ({ id = '', name = '', input }: Block): Call => ({ id, name, args: readArgs(input) });
