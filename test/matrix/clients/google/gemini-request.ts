import {
  type Content,
  type GenerateContentParameters,
  type Part,
  type ThinkingConfig,
  ThinkingLevel,
} from '@google/genai';
import type { Ask } from '../../scenario.ts';

/** For calls that Gemini did not make: https://ai.google.dev/gemini-api/docs/thought-signatures */
const unsigned = 'skip_thought_signature_validator';

const parts = ({ user, image, document }: Ask): Part[] => [
  { text: user },
  ...[image, document].flatMap((media) =>
    media === undefined ? [] : [{ inlineData: { mimeType: media.mimeType, data: media.base64 } }],
  ),
];

const earlierContents = ({ earlier }: Ask): Content[] =>
  earlier === undefined
    ? []
    : [
        {
          role: 'model',
          parts: earlier.calls.map(({ id, name, args }, index) => ({
            functionCall: { id, name, args: { ...args } },
            ...(index === 0 && { thoughtSignature: unsigned }),
          })),
        },
        {
          role: 'user',
          parts: earlier.results.map(({ id, name, text }) => ({
            functionResponse: { id, name, response: { output: text } },
          })),
        },
      ];

/** Since Gemini 3, models have thinking levels instead of budgets: https://ai.google.dev/gemini-api/docs/thinking */
const thinking = (model: string): ThinkingConfig =>
  model.startsWith('gemini-3') ? { thinkingLevel: ThinkingLevel.LOW } : { thinkingBudget: 2048 };

export interface GeminiRequest extends GenerateContentParameters {
  readonly contents: Content[];
}

/** A Gemini request: https://ai.google.dev/api/generate-content */
export const geminiRequest = (ask: Ask, model: string): GeminiRequest => ({
  model,
  contents: [{ role: 'user', parts: parts(ask) }, ...earlierContents(ask)],
  config: {
    ...(ask.system !== undefined && { systemInstruction: ask.system }),
    ...(ask.tools && {
      tools: [
        {
          functionDeclarations: ask.tools.map(({ name, description, schema }) => ({
            name,
            description,
            parametersJsonSchema: schema,
          })),
        },
      ],
    }),
    ...(ask.schema && { responseMimeType: 'application/json', responseJsonSchema: ask.schema.schema }),
    ...(ask.reasoning && { thinkingConfig: { includeThoughts: true, ...thinking(model) } }),
    maxOutputTokens: ask.maxTokens,
  },
});
