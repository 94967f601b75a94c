import type OpenAI from 'openai';
import type { Ask } from '../../scenario.ts';
import { dataUrl } from '../data-url.ts';

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Item = OpenAI.Responses.ResponseInputItem;
type Content = OpenAI.Responses.ResponseInputMessageContentList;

const content = ({ user, image, document }: Ask): Content => [
  { type: 'input_text', text: user },
  ...(image === undefined
    ? []
    : [{ type: 'input_image' as const, image_url: dataUrl(image), detail: 'auto' as const }]),
  ...(document === undefined
    ? []
    : [{ type: 'input_file' as const, filename: document.name, file_data: dataUrl(document) }]),
];

const earlierItems = ({ earlier }: Ask): readonly Item[] => [
  ...(earlier?.calls ?? []).map(({ id, name, args }) => ({
    type: 'function_call' as const,
    call_id: id,
    name,
    arguments: JSON.stringify(args),
  })),
  ...(earlier?.results ?? []).map(({ id, text }) => ({
    type: 'function_call_output' as const,
    call_id: id,
    output: text,
  })),
];

/** A request to OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses/create */
export const responsesRequest = (ask: Ask, model: string): Params => ({
  model,
  store: false,
  ...(ask.system !== undefined && { instructions: ask.system }),
  input: [{ role: 'user', content: content(ask) }, ...earlierItems(ask)],
  ...(ask.tools && {
    tools: ask.tools.map(({ name, description, schema }) => ({
      type: 'function' as const,
      name,
      description,
      parameters: { ...schema },
      strict: false,
    })),
  }),
  ...(ask.schema && {
    text: {
      format: { type: 'json_schema' as const, name: ask.schema.name, schema: { ...ask.schema.schema }, strict: true },
    },
  }),
  ...(ask.reasoning && {
    reasoning: { effort: 'medium' as const, summary: 'auto' as const },
    include: ['reasoning.encrypted_content' as const],
  }),
  max_output_tokens: ask.maxTokens,
});
