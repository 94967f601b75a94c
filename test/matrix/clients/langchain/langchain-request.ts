import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import type { Ask } from '../../scenario.ts';

const user = ({ user: text, image, document }: Ask): HumanMessage =>
  new HumanMessage({
    contentBlocks: [
      { type: 'text', text },
      ...(image === undefined ? [] : [{ type: 'image' as const, mimeType: image.mimeType, data: image.base64 }]),
      ...(document === undefined
        ? []
        : [
            {
              type: 'file' as const,
              mimeType: document.mimeType,
              data: document.base64,
              metadata: { filename: document.name },
            },
          ]),
    ],
  });

/** The results of tools as LangChain messages. */
export const langchainResults = (
  results: readonly { readonly id: string; readonly name: string; readonly text: string }[],
): BaseMessage[] => results.map(({ id, name, text }) => new ToolMessage({ tool_call_id: id, name, content: text }));

/** The messages in LangChain's format. */
export const langchainMessages = (ask: Ask): BaseMessage[] => [
  ...(ask.system === undefined ? [] : [new SystemMessage(ask.system)]),
  user(ask),
  ...(ask.earlier === undefined
    ? []
    : [
        new AIMessage({
          content: '',
          tool_calls: ask.earlier.calls.map(({ id, name, args }) => ({ id, name, args: { ...args } })),
        }),
        ...langchainResults(ask.earlier.results),
      ]),
];
