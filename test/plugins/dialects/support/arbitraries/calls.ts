import fc from 'fast-check';
import type {
  Extensions,
  OtherPart,
  Part,
  ResultContent,
  ServerToolCallPart,
  ServerToolResultPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../../../schema/conversation/conversation.ts';
import { cache, extensionsIn, id, json, jsonObject, said, sometimes, text } from './basics.ts';
import { mediaPart } from './media.ts';
import { plainText, textPart } from './texts.ts';

/** A part that only one dialect has. `elsewhere` is not one of the dialects in the laws. */
export const otherPart: fc.Arbitrary<OtherPart> = fc.constantFrom<OtherPart>(
  { kind: 'other', dialect: 'chat', value: { type: 'yet_to_come', content: 7 } },
  { kind: 'other', dialect: 'messages', value: { type: 'container_upload', file_id: 'file_1' } },
  { kind: 'other', dialect: 'gemini', value: { partMetadata: { source: 's' } } },
  { kind: 'other', dialect: 'elsewhere', value: { type: 'its_own', value: 1 } },
);

const argumentsText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: jsonObject.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.constantFrom('', '{"city": "Lyon"}', '{"half', '[1]') },
);

/** A call of a function or of a custom tool. Ids are made unique later. */
const plainCallPart: fc.Arbitrary<ToolCallPart> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('tool-call' as const), id, name: id, arguments: argumentsText }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tool-call' as const),
      id,
      name: id,
      arguments: text,
      input: fc.constant('text' as const),
    }),
  },
);

const functionHolders = { chat: 'function', gemini: 'functionCall', converse: 'toolUse', cohere: 'function' };
const customHolders = { ...functionHolders, chat: 'custom' };

const extensionsOf = ({ input }: ToolCallPart): fc.Arbitrary<Extensions> =>
  extensionsIn(input === 'text' ? customHolders : functionHolders);

/** A call of a request. */
export const callPart: fc.Arbitrary<ToolCallPart> = plainCallPart.chain((call) =>
  sometimes({ cache, extensions: extensionsOf(call) }).map((more) => ({ ...call, ...more })),
);

/** A call of an answer. */
export const answerCallPart: fc.Arbitrary<ToolCallPart> = plainCallPart.chain((call) =>
  sometimes({ extensions: extensionsOf(call) }).map((more) => ({ ...call, ...more })),
);

/** A function call with an object, which every dialect can express. */
export const plainCall: fc.Arbitrary<ToolCallPart> = fc
  .tuple(id, id, jsonObject)
  .map(([call, name, input]) => ({ kind: 'tool-call', id: call, name, arguments: JSON.stringify(input) }));

const resultContent: fc.Arbitrary<ResultContent> = fc.oneof(
  { weight: 6, arbitrary: textPart },
  { weight: 2, arbitrary: mediaPart },
  { weight: 2, arbitrary: json.map((value): ResultContent => ({ kind: 'json', value })) },
  { weight: 1, arbitrary: otherPart },
);

/** A tool result. The call that it answers is chosen later. A name here means only that it repeats the name of the call. */
export const resultPart: fc.Arbitrary<ToolResultPart> = fc
  .tuple(fc.array(resultContent, { maxLength: 3 }), sometimes({ name: id, failed: fc.constant(true as const), cache }))
  .map(([parts, more]) => ({ kind: 'tool-result', id: '', parts, ...more }));

export const plainResult: fc.Arbitrary<ToolResultPart> = fc
  .array(plainText, { maxLength: 2 })
  .map((parts) => ({ kind: 'tool-result', id: '', parts }));

const searched = (call: string, query: string, title: string): readonly Part[] => {
  const url = 'https://a.example/b';
  const input = { query };
  const found = { type: 'web_search_result', url, title, encrypted_content: 'x', page_age: null };
  return [
    serverCall(call, 'web_search', input),
    serverResult(call, `${title}\n${url}`, { type: 'web_search_tool_result', tool_use_id: call, content: [found] }),
  ];
};

const executed = (call: string, code: string, stdout: string): readonly Part[] => {
  const content = { type: 'code_execution_result', stdout, stderr: '', return_code: 0, content: [] };
  return [
    serverCall(call, 'code_execution', { code }),
    serverResult(call, stdout, { type: 'code_execution_tool_result', tool_use_id: call, content }),
  ];
};

const serverCall = (call: string, name: string, input: object): ServerToolCallPart => ({
  kind: 'server-tool-call',
  id: call,
  name,
  arguments: JSON.stringify(input),
  dialect: 'messages',
  value: { type: 'server_tool_use', id: call, name, input: { ...input } },
});

const serverResult = (
  call: string,
  read: string,
  value: { readonly [name: string]: string | object },
): ServerToolResultPart => ({
  kind: 'server-tool-result',
  id: call,
  text: read,
  dialect: 'messages',
  value: JSON.parse(JSON.stringify(value)) as ServerToolResultPart['value'],
});

/** Returns the parts as if they belonged to a dialect outside the laws. */
const moved = (parts: readonly Part[]): readonly Part[] =>
  parts.map((part) => ('dialect' in part ? { ...part, dialect: 'elsewhere' } : part));

/** A call of one of the provider's own tools, usually with its result. */
export const serverParts: fc.Arbitrary<readonly Part[]> = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.uuid(), said, said).map((of) => searched(...of)),
      fc.tuple(fc.uuid(), said, said).map((of) => executed(...of)),
    ),
    fc.boolean(),
    fc.constantFrom(1, 2, 2, 2),
  )
  .map(([parts, isForeign, count]) => (isForeign ? moved(parts) : parts).slice(0, count));
