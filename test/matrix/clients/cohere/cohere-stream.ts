import type { Cohere } from 'cohere-ai';

interface Block {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

type Content = Cohere.AssistantMessageResponseContentItem;

/** Text members of a delta are appended. Other members, which the format does not define, are kept. */
const grown = (content: Content, delta: object): Content => {
  const texts = Object.entries(delta).map(([name, value]) => {
    const before: unknown = Object.entries(content).find(([key]) => key === name)?.[1];
    return [name, typeof before === 'string' ? `${before}${value}` : value];
  });
  return { ...content, ...Object.fromEntries(texts) };
};

const emptyContent = ({ delta }: Cohere.V2ChatStreamResponse.ContentStart): Content =>
  delta?.message?.content?.type === 'thinking' ? { type: 'thinking', thinking: '' } : { type: 'text', text: '' };

const openCall = ({ delta }: Cohere.V2ChatStreamResponse.ToolCallStart): Block => {
  const { id = '', function: called } = delta?.message?.toolCalls ?? {};
  return { id, name: called?.name ?? '', input: called?.arguments ?? '' };
};

/** Assembles the answer of a stream, because the library has no helper for it: https://docs.cohere.com/docs/streaming */
export const answerOfStream = async (
  stream: AsyncIterable<Cohere.V2ChatStreamResponse>,
): Promise<Omit<Cohere.V2ChatResponse, 'id'>> => {
  let ending: Pick<Cohere.V2ChatResponse, 'finishReason' | 'usage'> = { finishReason: 'ERROR' };
  const calls = new Map<number, Block>();
  const contents = new Map<number, Content>();
  for await (const event of stream) {
    switch (event.type) {
      case 'content-start':
        contents.set(event.index ?? 0, emptyContent(event));
        break;
      case 'content-delta': {
        const content = contents.get(event.index ?? 0);
        if (content === undefined) throw new Error('A delta of content comes before its start.');
        contents.set(event.index ?? 0, grown(content, event.delta?.message?.content ?? {}));
        break;
      }
      case 'tool-call-start':
        calls.set(event.index ?? 0, openCall(event));
        break;
      case 'tool-call-delta': {
        const block = calls.get(event.index ?? 0);
        if (block === undefined) throw new Error('A delta of a call comes before its start.');
        const more = event.delta?.message?.toolCalls?.function?.arguments ?? '';
        calls.set(event.index ?? 0, { ...block, input: block.input + more });
        break;
      }
      case 'message-end': {
        const { finishReason = 'ERROR', usage } = event.delta ?? {};
        ending = { finishReason, ...(usage && { usage }) };
        break;
      }
      case 'message-start':
      case 'content-end':
      case 'tool-call-end':
        break;
      default:
        throw new Error(`An event has the unknown type ${event.type}.`);
    }
  }
  const toolCalls = [...calls.values()].map(({ id, name, input }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: input },
  }));
  const content = [...contents.values()];
  return {
    message: {
      role: 'assistant',
      ...(content.length > 0 && { content }),
      ...(toolCalls.length > 0 && { toolCalls }),
    },
    ...ending,
  };
};
