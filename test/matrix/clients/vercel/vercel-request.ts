import { jsonSchema, type ModelMessage, type ToolSet, tool, type UserContent } from 'ai';
import type { Ask } from '../../scenario.ts';

const content = ({ user, image, document }: Ask): UserContent => [
  { type: 'text', text: user },
  ...(image === undefined ? [] : [{ type: 'file' as const, data: image.base64, mediaType: image.mimeType }]),
  ...(document === undefined
    ? []
    : [
        {
          type: 'file' as const,
          data: document.base64,
          mediaType: document.mimeType,
          filename: document.name,
        },
      ]),
];

/** The results of tools in the format of Vercel's library. */
export const vercelResults = (
  results: readonly { readonly id: string; readonly name: string; readonly text: string }[],
): ModelMessage => ({
  role: 'tool',
  content: results.map(({ id, name, text }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: name,
    output: { type: 'text' as const, value: text },
  })),
});

/** The messages after the instructions, in the format of Vercel's library. */
export const vercelMessages = (ask: Ask): ModelMessage[] => [
  { role: 'user', content: content(ask) },
  ...(ask.earlier === undefined
    ? []
    : [
        {
          role: 'assistant' as const,
          content: ask.earlier.calls.map(({ id, name, args }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: args,
          })),
        },
        vercelResults(ask.earlier.results),
      ]),
];

/** The tools without code, because the calls are the answer. */
export const vercelTools = (ask: Ask): ToolSet =>
  Object.fromEntries(
    (ask.tools ?? []).map(({ name, description, schema }) => [
      name,
      tool({ description, inputSchema: jsonSchema({ ...schema }) }),
    ]),
  );
