import type { ContentBlock, ConverseCommandInput, Message, ToolInputSchema } from '@aws-sdk/client-bedrock-runtime';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Ask } from '../../scenario.ts';

type DocumentType = ToolInputSchema.JsonMember['json'];

/** The library's JSON type is not readonly. */
const copy = (value: JsonObject): DocumentType => JSON.parse(JSON.stringify(value));

const bytes = (base64: string): Uint8Array => Buffer.from(base64, 'base64');

const content = ({ user, image, document }: Ask): ContentBlock[] => [
  { text: user },
  ...(image === undefined ? [] : [{ image: { format: 'png' as const, source: { bytes: bytes(image.base64) } } }]),
  ...(document === undefined
    ? []
    : [
        {
          // Document names must not contain dots:
          // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
          document: {
            format: 'pdf' as const,
            name: document.name.replace('.pdf', ''),
            source: { bytes: bytes(document.base64) },
          },
        },
      ]),
];

const earlierMessages = ({ earlier }: Ask): Message[] =>
  earlier === undefined
    ? []
    : [
        {
          role: 'assistant',
          content: earlier.calls.map(({ id, name, args }) => ({
            toolUse: { toolUseId: id, name, input: copy(args) },
          })),
        },
        {
          role: 'user',
          content: earlier.results.map(({ id, text }) => ({ toolResult: { toolUseId: id, content: [{ text }] } })),
        },
      ];

/**
 * Claude has adaptive thinking since 4.6:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html
 */
const thinking = (modelId: string): DocumentType =>
  modelId.includes('-4-5')
    ? { thinking: { type: 'enabled', budget_tokens: 2048 } }
    : { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } };

/** A Converse request: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const converseRequest = (ask: Ask, modelId: string): ConverseCommandInput => ({
  modelId,
  ...(ask.system !== undefined && { system: [{ text: ask.system }] }),
  messages: [{ role: 'user', content: content(ask) }, ...earlierMessages(ask)],
  ...(ask.tools && {
    toolConfig: {
      tools: ask.tools.map(({ name, description, schema }) => ({
        toolSpec: { name, description, inputSchema: { json: copy(schema) } },
      })),
    },
  }),
  ...(ask.schema && {
    outputConfig: {
      textFormat: {
        type: 'json_schema' as const,
        structure: { jsonSchema: { name: ask.schema.name, schema: JSON.stringify(ask.schema.schema) } },
      },
    },
  }),
  ...(ask.reasoning && {
    additionalModelRequestFields: thinking(modelId),
  }),
  inferenceConfig: { maxTokens: ask.maxTokens },
});
