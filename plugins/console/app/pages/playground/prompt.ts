/** The APIs that the playground can use. */
export const dialects = ['chat', 'messages', 'responses', 'gemini'] as const;

export type DialectId = (typeof dialects)[number];

/** An image of a turn, as base64. */
export interface PromptImage {
  readonly name: string;
  readonly mediaType: string;
  readonly data: string;
}

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly images: readonly PromptImage[];
}

/** A request to a model, independent of the API. */
export interface Prompt {
  readonly model: string;
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly stream: boolean;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Functions in the format of OpenAI's chat API: `{ name, description, parameters }`. */
  readonly tools: readonly ToolFunction[];
}

export interface ToolFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: object;
}

/** The routing of a request: by a header, or without one for the default. */
export type Routing =
  | { readonly kind: 'config'; readonly name: string }
  | { readonly kind: 'provider'; readonly name: string }
  | { readonly kind: 'default' };

/** Returns the headers that select the config or the provider. */
export const routingHeaders = (via: Routing): Readonly<Record<string, string>> => {
  if (via.kind === 'config') return { 'x-gw-config': via.name };
  return via.kind === 'provider' ? { 'x-gw-provider': via.name } : {};
};

/** The model of a request through a config whose targets set their own. */
const anyModel = 'any';

/** Returns the model that a request names. With a config it is optional; otherwise a missing model stays empty. */
export const toModel = ({ model, via }: { readonly model: string; readonly via: Routing }): string => {
  const written = model.trim();
  return written === '' && via.kind === 'config' ? anyModel : written;
};

/** The maximum size of an image in bytes. The constant below is the maximum number of images of a request. */
export const maxImageBytes: number = 4 * 1024 * 1024;
export const maxImages = 8;

/** The result of parsing the text of the tools field. */
export type ReadTools =
  | { readonly kind: 'read'; readonly tools: readonly ToolFunction[] }
  | { readonly kind: 'failed'; readonly at: 'json' | 'list' | 'name' };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a list of functions. Each one may also be wrapped: `{ "type": "function", "function": … }`. */
export const readTools = (text: string): ReadTools => {
  if (text.trim() === '') return { kind: 'read', tools: [] };
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return { kind: 'failed', at: 'json' };
  }
  if (!Array.isArray(list)) return { kind: 'failed', at: 'list' };
  const tools: ToolFunction[] = [];
  for (const each of list) {
    const tool = isObject(each) && isObject(each.function) ? each.function : each;
    if (!isObject(tool) || typeof tool.name !== 'string' || tool.name === '') return { kind: 'failed', at: 'name' };
    tools.push({
      name: tool.name,
      ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
      ...(isObject(tool.parameters) ? { parameters: tool.parameters } : {}),
    });
  }
  return { kind: 'read', tools };
};
