import type {
  ContentBlock,
  ConverseCommandOutput,
  ConverseStreamOutput,
  Message,
} from '@aws-sdk/client-bedrock-runtime';

/** How an answer ended, and its usage. */
export type Ending = Pick<ConverseCommandOutput, 'stopReason' | 'usage'>;

interface Block {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly input: string;
  readonly text: string;
  readonly reasoning: string;
  readonly signature?: string | undefined;
  readonly redacted?: Uint8Array | undefined;
}

const empty: Block = { input: '', text: '', reasoning: '' };

/** The library expects the input of an application as a document value. */
const toContent = (block: Block): ContentBlock => {
  const { id, name, input, text, reasoning, signature, redacted } = block;
  if (id !== undefined) return { toolUse: { toolUseId: id, name, input: JSON.parse(input) } };
  if (redacted !== undefined) return { reasoningContent: { redactedContent: redacted } };
  if (reasoning !== '' || signature !== undefined)
    return { reasoningContent: { reasoningText: { text: reasoning, signature } } };
  return { text };
};

const grown = (block: Block, delta: NonNullable<ConverseStreamOutput['contentBlockDelta']>['delta']): Block => {
  const { text = '', reasoningContent, toolUse, $unknown } = delta ?? {};
  if ($unknown !== undefined) throw new Error(`A delta has the unknown type ${$unknown[0]}.`);
  if (toolUse !== undefined && block.id === undefined) throw new Error('A delta of a call comes before its start.');
  return {
    ...block,
    text: block.text + text,
    input: block.input + (toolUse?.input ?? ''),
    reasoning: block.reasoning + (reasoningContent?.text ?? ''),
    signature: reasoningContent?.signature ?? block.signature,
    redacted: reasoningContent?.redactedContent ?? block.redacted,
  };
};

/**
 * Assembles the message of a stream, because the library has no helper for it:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html
 */
export const messageOfStream = async (
  stream: AsyncIterable<ConverseStreamOutput>,
): Promise<{ readonly message: Message; readonly ending: Ending }> => {
  let ending: Ending = { stopReason: undefined, usage: undefined };
  const blocks = new Map<number, Block>();
  for await (const event of stream) {
    if (event.$unknown !== undefined) throw new Error(`An event has the unknown type ${event.$unknown[0]}.`);
    const { contentBlockStart: start, contentBlockDelta: delta, messageStop: stop, metadata } = event;
    if (start?.start?.toolUse !== undefined) {
      const { toolUseId: id = '', name = '' } = start.start.toolUse;
      blocks.set(start.contentBlockIndex ?? 0, { ...empty, id, name });
    }
    if (delta !== undefined) {
      const index = delta.contentBlockIndex ?? 0;
      blocks.set(index, grown(blocks.get(index) ?? empty, delta.delta));
    }
    if (stop !== undefined) ending = { ...ending, stopReason: stop.stopReason };
    if (metadata?.usage !== undefined) ending = { ...ending, usage: metadata.usage };
  }
  return { message: { role: 'assistant', content: [...blocks.values()].map(toContent) }, ending };
};
