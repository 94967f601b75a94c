/** The APIs in which the playground asks. */
export const dialects = ['chat', 'messages', 'responses', 'gemini'] as const;

export type DialectId = (typeof dialects)[number];

/** An image that goes with a turn, as its bytes in base64. */
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

/** A request to a model, whatever its API. */
export interface Prompt {
  readonly model: string;
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly stream: boolean;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Functions as OpenAI's chat API writes them: `{ name, description, parameters }`. */
  readonly tools: readonly ToolFunction[];
}

export interface ToolFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: object;
}

/** By which a request is routed: its header, or none for the default. */
export type Via =
  | { readonly kind: 'config'; readonly name: string }
  | { readonly kind: 'provider'; readonly name: string }
  | { readonly kind: 'default' };

/** The headers that choose the config or the provider. */
export const viaHeaders = (via: Via): Readonly<Record<string, string>> => {
  if (via.kind === 'config') return { 'x-gw-config': via.name };
  return via.kind === 'provider' ? { 'x-gw-provider': via.name } : {};
};

/** A name for the model of a request through a config whose targets set their own. */
const anyModel = 'any';

/** The model that a request names: through a config it need not be written. Empty where one must be. */
export const toModel = ({ model, via }: { readonly model: string; readonly via: Via }): string => {
  const written = model.trim();
  return written === '' && via.kind === 'config' ? anyModel : written;
};

/** The largest image, in bytes, and the most images of a request. */
export const maxImageBytes: number = 4 * 1024 * 1024;
export const maxImages = 8;

/** The result of reading the text of the field for tools. */
export type ReadTools =
  | { readonly kind: 'read'; readonly tools: readonly ToolFunction[] }
  | { readonly kind: 'failed'; readonly at: 'json' | 'list' | 'name' };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a list of functions, each also as `{ "type": "function", "function": … }`. */
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
