import type { DialectId, Prompt, PromptImage, ToolFunction, Turn } from './prompt.ts';

/** A request as it is sent: the path below the gateway's root, and its JSON body. */
export interface WireRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const defined = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const toDataUrl = ({ mediaType, data }: PromptImage): string => `data:${mediaType};base64,${data}`;

const emptySchema = { type: 'object', properties: {} } as const;

const some = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length === 0 ? undefined : items);

/** https://platform.openai.com/docs/api-reference/chat/create */
const toChat = (prompt: Prompt): WireRequest => {
  const toMessage = ({ role, text, images }: Turn) => ({
    role,
    content:
      images.length === 0
        ? text
        : [
            { type: 'text', text },
            ...images.map((image) => ({ type: 'image_url', image_url: { url: toDataUrl(image) } })),
          ],
  });
  return {
    path: '/v1/chat/completions',
    body: defined({
      model: prompt.model,
      messages: [
        ...(prompt.system === '' ? [] : [{ role: 'system', content: prompt.system }]),
        ...prompt.turns.map(toMessage),
      ],
      temperature: prompt.temperature,
      top_p: prompt.topP,
      max_tokens: prompt.maxTokens,
      tools: some(prompt.tools.map((tool) => ({ type: 'function', function: tool }))),
      stream: prompt.stream ? true : undefined,
      stream_options: prompt.stream ? { include_usage: true } : undefined,
    }),
  };
};

/** The limit if the prompt sets none, because Anthropic's API requires one. */
const defaultMaxTokens = 1024;

/** https://docs.anthropic.com/en/api/messages */
const toMessages = (prompt: Prompt): WireRequest => {
  const toMessage = ({ role, text, images }: Turn) => ({
    role,
    content:
      images.length === 0
        ? text
        : [
            ...images.map(({ mediaType, data }) => ({
              type: 'image',
              source: { type: 'base64', media_type: mediaType, data },
            })),
            { type: 'text', text },
          ],
  });
  const toTool = ({ name, description, parameters = emptySchema }: ToolFunction) =>
    defined({ name, description, input_schema: parameters });
  return {
    path: '/v1/messages',
    body: defined({
      model: prompt.model,
      max_tokens: prompt.maxTokens ?? defaultMaxTokens,
      system: prompt.system === '' ? undefined : prompt.system,
      messages: prompt.turns.map(toMessage),
      temperature: prompt.temperature,
      top_p: prompt.topP,
      tools: some(prompt.tools.map(toTool)),
      stream: prompt.stream ? true : undefined,
    }),
  };
};

/** https://platform.openai.com/docs/api-reference/responses/create */
const toResponses = (prompt: Prompt): WireRequest => {
  const toItem = ({ role, text, images }: Turn) => ({
    role,
    content:
      images.length === 0
        ? text
        : [
            { type: 'input_text', text },
            ...images.map((image) => ({ type: 'input_image', image_url: toDataUrl(image), detail: 'auto' })),
          ],
  });
  const toTool = ({ name, description, parameters = emptySchema }: ToolFunction) =>
    defined({ type: 'function', name, description, parameters, strict: false });
  return {
    path: '/v1/responses',
    body: defined({
      model: prompt.model,
      instructions: prompt.system === '' ? undefined : prompt.system,
      input: prompt.turns.map(toItem),
      temperature: prompt.temperature,
      top_p: prompt.topP,
      max_output_tokens: prompt.maxTokens,
      tools: some(prompt.tools.map(toTool)),
      store: false,
      stream: prompt.stream ? true : undefined,
    }),
  };
};

/** https://ai.google.dev/api/generate-content */
const toGemini = (prompt: Prompt): WireRequest => {
  const settings = defined({
    temperature: prompt.temperature,
    topP: prompt.topP,
    maxOutputTokens: prompt.maxTokens,
  });
  const verb = prompt.stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return {
    path: `/v1beta/models/${encodeURIComponent(prompt.model)}:${verb}`,
    body: defined({
      systemInstruction: prompt.system === '' ? undefined : { parts: [{ text: prompt.system }] },
      contents: prompt.turns.map(({ role, text, images }) => ({
        role: role === 'assistant' ? 'model' : 'user',
        parts: [{ text }, ...images.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } }))],
      })),
      generationConfig: Object.keys(settings).length === 0 ? undefined : settings,
      tools: prompt.tools.length === 0 ? undefined : [{ functionDeclarations: prompt.tools }],
    }),
  };
};

const writers: Readonly<Record<DialectId, (prompt: Prompt) => WireRequest>> = {
  chat: toChat,
  messages: toMessages,
  responses: toResponses,
  gemini: toGemini,
};

/** Converts a prompt into a request of an API. */
export const toRequest = (dialect: DialectId, prompt: Prompt): WireRequest => writers[dialect](prompt);
