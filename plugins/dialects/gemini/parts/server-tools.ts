import type { ServerToolCallPart, ServerToolResultPart } from '../../../../schema/conversation/conversation.ts';
import { exactText } from '../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { findField } from './field.ts';

/** Creates ids for the provider's own calls that have none. A result belongs to the call before it. */
export class ServerCallIds {
  #made = 0;
  #last = '';

  call(id: string | undefined): string {
    this.#last = id ?? `gw-server-call-${this.#made}`;
    this.#made += 1;
    return this.#last;
  }

  result(id: string | undefined): string {
    return id ?? this.#last;
  }
}

const json = (value: JsonObject | undefined): string => exactText(value ?? {});

/**
 * Decodes a part about a tool that the provider runs: its code execution, or one that `toolCall` names. Returns undefined for any
 * other part. https://ai.google.dev/api/caching#Part
 */
export const decodeServerTool = (
  part: JsonObject,
  ids: ServerCallIds,
): ServerToolCallPart | ServerToolResultPart | undefined => {
  const code = findObject(findField(part, 'executableCode'));
  const own = { dialect: 'gemini', value: part };
  if (code !== undefined) {
    const { id: _id, ...input } = code;
    return {
      kind: 'server-tool-call',
      id: ids.call(findText(code.id)),
      name: 'code_execution',
      arguments: json(input),
      ...own,
    };
  }
  const output = findObject(findField(part, 'codeExecutionResult'));
  if (output !== undefined)
    return {
      kind: 'server-tool-result',
      id: ids.result(findText(output.id)),
      text: findText(output.output) ?? '',
      ...own,
    };
  const call = findObject(findField(part, 'toolCall'));
  if (call !== undefined) {
    const name = (findText(findField(call, 'toolType')) ?? 'tool').toLowerCase();
    return {
      kind: 'server-tool-call',
      id: ids.call(findText(call.id)),
      name,
      arguments: json(findObject(call.args)),
      ...own,
    };
  }
  const result = findObject(findField(part, 'toolResponse'));
  if (result === undefined) return undefined;
  return {
    kind: 'server-tool-result',
    id: ids.result(findText(result.id)),
    text: json(findObject(result.response)),
    ...own,
  };
};
