import type { Tool } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import { extended, findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import { customParameters } from '../../shared/request/custom-tool.ts';
import type { Lost } from '../../shared/request/lost.ts';
import { asList, field, spellings } from '../parts/field.ts';
import { toGoogleTool } from './google-tools.ts';
import { toJsonSchema } from './json-schema.ts';

const decodeParameters = (declaration: Member): JsonObject | undefined => {
  const openApi = declaration.at('parameters').maybeObject();
  return field(declaration, 'parametersJsonSchema').maybeObject() ?? (openApi && toJsonSchema(openApi));
};

const declaredMembers: KnownMembers = {
  names: spellings(['name', 'description', 'parameters', 'parametersJsonSchema']),
};

const decodeFunction = (declaration: Member): Tool =>
  defined({
    kind: 'function' as const,
    name: declaration.at('name').text(),
    description: declaration.at('description').maybeText(),
    parameters: decodeParameters(declaration),
    extensions: findExtensions(declaration, declaredMembers),
  });

const functions = spellings(['functionDeclarations']);

/** Decodes one item of `tools`, which may declare functions, and also name tools of the provider. */
export const decodeTools = (item: Member): readonly Tool[] => {
  const own = omit(item.object(), functions);
  return [
    ...asList(field(item, 'functionDeclarations')).maybeItems().map(decodeFunction),
    ...(own === undefined ? [] : [{ kind: 'other' as const, dialect: 'gemini', value: own }]),
  ];
};

type CustomTool = Extract<Tool, { readonly kind: 'custom' }>;
type FunctionTool = Extract<Tool, { readonly kind: 'function' }>;

/** Reports the loss of a function's `strict` and `cache`, which the format cannot express. */
const loseHints = ({ strict, cache }: FunctionTool, path: string, lost: Lost): void => {
  if (strict !== undefined) lost.push(`${path}.strict`);
  if (cache !== undefined) lost.push(`${path}.cache`);
};

/**
 * Encodes a function. `parametersJsonSchema` accepts a JSON Schema unchanged, but the service requires that it describes an
 * object.
 */
const encodeFunction = (tool: FunctionTool, path: string, lost: Lost): JsonObject => {
  const { name, description, parameters } = tool;
  loseHints(tool, path, lost);
  const schema = parameters && keepSources({ type: 'object', ...parameters }, parameters);
  return extended(defined({ name, description, parametersJsonSchema: schema }) as JsonObject, tool, 'gemini');
};

/** Encodes a custom tool as a function whose only parameter is the tool's input. */
const encodeCustom = (tool: CustomTool, path: string, lost: Lost): JsonObject => {
  const { name, description } = tool;
  lost.push(`${path}.custom`);
  return extended(defined({ name, description, parametersJsonSchema: customParameters }) as JsonObject, tool, 'gemini');
};

export interface EncodedTools {
  readonly wire: readonly JsonObject[];
  /** Whether any function is declared that the model could choose. */
  readonly hasFunctions: boolean;
  /** The names of functions that stand for tools of Google, which cannot be chosen. */
  readonly google: ReadonlySet<string>;
}

/** Encodes the tools. All functions are in one item, because Vertex AI rejects a second one. */
export const encodeTools = (tools: readonly Tool[], lost: Lost): EncodedTools => {
  const declared: JsonObject[] = [];
  const others: JsonObject[] = [];
  const google = new Set<string>();
  tools.forEach((tool, index) => {
    const path = `tools[${index}]`;
    const native = tool.kind === 'function' ? toGoogleTool(tool) : undefined;
    const isOwn = tool.kind === 'other' && tool.dialect === 'gemini';
    if (isOwn) others.push(tool.value);
    else if (tool.kind === 'other') lost.push(path);
    else if (tool.kind === 'function' && native !== undefined) {
      if (tool.description !== undefined) lost.push(`${path}.description`);
      if (tool.extensions?.gemini !== undefined) lost.push(`${path}.extensions`);
      loseHints(tool, path, lost);
      google.add(tool.name);
      others.push(native);
    } else {
      if (others.length > 0) lost.push(`${path}.order`);
      declared.push(tool.kind === 'function' ? encodeFunction(tool, path, lost) : encodeCustom(tool, path, lost));
    }
  });
  const hasFunctions = declared.length > 0;
  return { wire: [...(hasFunctions ? [{ functionDeclarations: declared }] : []), ...others], hasFunctions, google };
};
