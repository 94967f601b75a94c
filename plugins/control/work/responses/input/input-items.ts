import { boundMark } from '../../../../../schema/conversation/bound.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { findItems, toObjects } from '../../../../../schema/json/loose.ts';
import type { StoredResponse } from '../stored/stored-responses.ts';

/** Reads the input of a request as items; as the client sent them, if it sent items. */
export const inputItems = (input: Json | undefined): readonly Json[] => {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return findItems(input) ?? [];
};

/** The prefixes of ids, by the type of their items. */
const prefixes: ReadonlyMap<string, string> = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['custom_tool_call', 'ctc'],
  ['custom_tool_call_output', 'ctco'],
]);

const textType = (role: Json | undefined): string => (role === 'assistant' ? 'output_text' : 'input_text');

/** The content of a message as parts, which it may have been sent without. */
const contentParts = ({ role, content }: JsonObject): Json =>
  typeof content === 'string' ? [{ type: textType(role), text: content }] : (content ?? []);

const listed = (item: JsonObject, id: string): JsonObject => {
  const type = item.type ?? 'message';
  const known = { id, ...item, type };
  return type === 'message' ? { ...known, status: item.status ?? 'completed', content: contentParts(item) } : known;
};

/** Lists the input of a response: each item has a type and an id, which is the same each time. */
export const listedInput = (response: string, input: Json): readonly JsonObject[] =>
  inputItems(input)
    .filter(isJsonObject)
    .map((item, at) => {
      const prefix = prefixes.get(String(item.type ?? 'message')) ?? 'item';
      return listed(item, `${prefix}_${response.replaceAll(/[^\w-]/g, '')}_${at}`);
    });

/** Reads the items of a response's output. */
export const outputItems = ({ output }: JsonObject): readonly JsonObject[] => toObjects(output);

/** The prefix of the gateway's own ids of reasoning; its dialect reads such items for every provider. */
const ownReasoning = 'rs_gw';

/** Checks whether a body may contain what the dialect must read before a provider can: bound values with their makers, and such ids. */
export const mayBeBound = (bytes: Buffer): boolean =>
  bytes.includes(`"${boundMark}`) || bytes.includes(`"${ownReasoning}_`);

/** An item that nobody but the provider that keeps it can read. */
const isReference = ({ type, id, encrypted_content: encrypted }: JsonObject): boolean =>
  type === 'item_reference' ||
  (type === 'reasoning' && typeof encrypted !== 'string' && !String(id ?? '').startsWith(ownReasoning));

/** Reasoning that names its maker: that alone is sent what is encrypted. */
const withMaker = (item: JsonObject, scope: string | undefined): JsonObject => {
  const { type, encrypted_content: encrypted } = item;
  if (type !== 'reasoning' || typeof encrypted !== 'string') return item;
  if (scope === undefined || encrypted.startsWith(boundMark)) return item;
  return { ...item, encrypted_content: `${boundMark}${scope}.${encrypted}` };
};

const replayed = (items: readonly Json[], scope: string | undefined): readonly Json[] =>
  items
    .filter((item) => !isJsonObject(item) || !isReference(item))
    .map((item) => (isJsonObject(item) ? withMaker(item, scope) : item));

/** Collects what was sent and answered: the items of a conversation's input before a new request, in their order. */
export const rebuiltInput = (links: readonly StoredResponse[]): readonly Json[] =>
  links.flatMap(({ input, response, isNative, maker }) => [
    // What a client sent without a maker was for the provider that answered, if that speaks the client's dialect.
    ...replayed(inputItems(input), isNative ? maker?.scope : undefined),
    ...replayed(outputItems(response), maker?.scope),
  ]);
