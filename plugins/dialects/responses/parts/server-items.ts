import type {
  MediaPart,
  ServerToolCallPart,
  ServerToolResultPart,
} from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { omit } from '../../shared/json/omit.ts';

type ServerPart = ServerToolCallPart | ServerToolResultPart | MediaPart;

/** The readable parts of a call of one of the provider's own tools. */
interface Reading {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
  /** The result, as readable text; undefined if the item has no result. */
  readonly result?: string | undefined;
  readonly media?: MediaPart;
}

const lines = (list: Json | undefined, member: string): string | undefined =>
  list === undefined || list === null
    ? undefined
    : toObjects(list)
        .flatMap((item) => findText(item[member]) ?? [])
        .join('\n');

const sources: ReadonlySet<string> = new Set(['sources']);

const readWebSearch = ({ action }: JsonObject): Reading => {
  const asked = findObject(action) ?? {};
  return {
    name: 'web_search',
    arguments: JSON.stringify(omit(asked, sources) ?? {}),
    result: lines(asked.sources, 'url'),
  };
};

const readFileSearch = ({ queries, results }: JsonObject): Reading => ({
  name: 'file_search',
  arguments: JSON.stringify({ queries: queries ?? [] }),
  result: lines(results, 'text'),
});

const readCode = ({ code, outputs }: JsonObject): Reading => ({
  name: 'code_execution',
  arguments: JSON.stringify({ code: code ?? '' }),
  result: lines(outputs, 'logs'),
});

const readImage = ({ result, output_format, revised_prompt }: JsonObject): Reading => {
  const prompt = findText(revised_prompt);
  const call = { name: 'image_generation', arguments: JSON.stringify(prompt === undefined ? {} : { prompt }) };
  const data = findText(result);
  if (data === undefined) return call;
  const mimeType = `image/${findText(output_format) ?? 'png'}`;
  return { ...call, media: { kind: 'media', media: 'image', source: { kind: 'base64', mimeType, data } } };
};

const readMcp = (item: JsonObject): Reading => ({
  name: 'mcp',
  arguments: findText(item.arguments) ?? '{}',
  result: findText(item.output) ?? findText(item.error) ?? findText(findObject(item.error)?.message),
});

const readers: ReadonlyMap<Json | undefined, (item: JsonObject) => Reading> = new Map([
  ['web_search_call', readWebSearch],
  ['file_search_call', readFileSearch],
  ['code_interpreter_call', readCode],
  ['image_generation_call', readImage],
  ['mcp_call', readMcp],
]);

/**
 * Returns the parts of a call that the provider ran itself: the call, which has the whole item as its value, then its result, or
 * the image that it made. Returns undefined for any other item.
 */
export const decodeServerItem = (item: JsonObject): readonly [ServerToolCallPart, ...ServerPart[]] | undefined => {
  const reading = readers.get(item.type)?.(item);
  if (reading === undefined) return undefined;
  const { name, result, media } = reading;
  const id = findText(item.id) ?? '';
  const call = {
    kind: 'server-tool-call' as const,
    id,
    name,
    arguments: reading.arguments,
    dialect: 'responses',
    value: item,
  };
  if (media !== undefined) return [call, media];
  if (result === undefined) return [call];
  return [call, { kind: 'server-tool-result', id, text: result, dialect: 'responses', value: null }];
};

/** Returns the name of the provider's own tool that an item calls. */
export const findServerTool = (item: JsonObject): string | undefined => {
  const name = readers.get(item.type)?.(item).name;
  // Opening or searching a page belongs to the search before it.
  const action = name === 'web_search' ? (findObject(item.action)?.type ?? 'search') : 'search';
  return action === 'search' ? name : undefined;
};

const formats = /^image\/(png|jpeg|webp|gif|svg)$/;

/**
 * Encodes an image that the model made without a tool as a call of one. Returns undefined for media that such a call cannot have.
 */
export const encodeGeneratedImage = ({ media, source }: MediaPart, id: string): JsonObject | undefined => {
  if (media !== 'image' || source.kind !== 'base64') return undefined;
  const [, format] = formats.exec(source.mimeType) ?? [];
  if (format === undefined) return undefined;
  return { type: 'image_generation_call', id, status: 'completed', output_format: format, result: source.data };
};
