import type { Conversation, Part, TextPart, ToolResultPart, Turn } from '../../../schema/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import { defined } from '../wire/defined.ts';
import { dropped, type Lost } from '../wire/lost.ts';
import { present } from '../wire/present.ts';
import { encodePart, toContent } from './encode-content.ts';

interface Placed<P extends Part = Part> {
  readonly part: P;
  readonly path: string;
}

const encodeSystem = (system: readonly TextPart[], lost: Lost): readonly JsonObject[] => {
  const parts = present(system.map((part, index) => encodePart(part, `system[${index}]`, lost)));
  return parts.length > 0 ? [{ role: 'system', content: toContent(parts) }] : [];
};

const encodeOther = ({ part, path }: Placed, lost: Lost): JsonObject | undefined =>
  part.kind === 'other' && part.dialect === 'chat' && isJsonObject(part.value)
    ? part.value
    : encodePart(part, path, lost);

/**
 * A tool's result may contain texts, and parts of this dialect's own that it was read with. Media follow it in a user
 * message.
 */
const encodeResult = ({ part, path }: Placed<ToolResultPart>, after: JsonObject[], lost: Lost): JsonObject => {
  const content: JsonObject[] = [];
  const rest: JsonObject[] = [];
  part.parts.forEach((inner, index) => {
    const at = `${path}.parts[${index}]`;
    const wire = encodeOther({ part: inner, path: at }, lost);
    if (wire === undefined) return;
    const isMoved = inner.kind === 'media' && wire.type !== 'text';
    (isMoved ? rest : content).push(wire);
    if (isMoved) lost.push(`${at}.media`);
  });
  if (part.failed === true) lost.push(`${path}.failed`);
  if (part.cache !== undefined) lost.push(`${path}.cache`);
  if (rest.length > 0) after.push({ type: 'text', text: `Result of the tool call ${part.id}:` }, ...rest);
  const isElsewhere = content.length === 0 && rest.length > 0;
  return {
    role: 'tool',
    tool_call_id: part.id,
    content: isElsewhere ? 'The result is in the next message.' : toContent(content),
  };
};

const encodeCall = ({ part, path }: Placed, lost: Lost): JsonObject | undefined => {
  if (part.kind === 'other') return isJsonObject(part.value) && part.value.type === 'custom' ? part.value : undefined;
  if (part.kind !== 'tool-call') return undefined;
  if (part.cache !== undefined) lost.push(`${path}.cache`);
  return { id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments } };
};

/** Content and calls are separate members, so their relative order is not kept. */
const encodeAssistant = (turn: Turn, placed: readonly Placed[], lost: Lost): JsonObject => {
  const calls: JsonObject[] = [];
  const content: JsonObject[] = [];
  for (const item of placed) {
    const call = item.part.kind === 'other' && item.part.dialect !== 'chat' ? undefined : encodeCall(item, lost);
    if (call !== undefined) {
      calls.push(call);
      continue;
    }
    const wire = item.part.kind === 'media' ? dropped(`${item.path}.media`, lost) : encodeOther(item, lost);
    if (wire === undefined) continue;
    content.push(wire);
    if (calls.length > 0) lost.push(`${item.path}.order`);
  }
  return defined({
    role: 'assistant',
    name: turn.name,
    content: content.length === 0 && calls.length > 0 ? null : toContent(content),
    tool_calls: calls.length > 0 ? calls : undefined,
  });
};

const encodeUser = (turn: Turn, placed: readonly Placed[], lost: Lost): JsonObject =>
  defined({
    role: 'user',
    name: turn.name,
    content: toContent(present(placed.map((item) => encodeOther(item, lost)))),
  });

const isResult = (item: Placed): item is Placed<ToolResultPart> => item.part.kind === 'tool-result';

/** The conversation's system prompt and turns, in the order that the API requires: results right after their calls. */
export const encodeMessages = ({ system, turns }: Conversation, lost: Lost): readonly JsonObject[] => {
  const messages = [...encodeSystem(system, lost)];
  let after: JsonObject[] = [];
  const flush = (): void => {
    if (after.length > 0) messages.push({ role: 'user', content: after });
    after = [];
  };
  turns.forEach((turn, index) => {
    const placed = turn.parts.map((part, at): Placed => ({ part, path: `turns[${index}].parts[${at}]` }));
    const results = placed.filter(isResult);
    const rest = placed.filter((item) => !isResult(item));
    if (results.length === 0) flush();
    else if (turn.role !== 'tool' || rest.length > 0 || messages.at(-1)?.role === 'tool') lost.push(`turns[${index}]`);
    if (turn.role === 'assistant') messages.push(encodeAssistant(turn, rest, lost));
    messages.push(...results.map((item) => encodeResult(item, after, lost)));
    if (turn.role === 'assistant' || (rest.length === 0 && results.length > 0)) return;
    flush();
    if (turn.role === 'tool' && results.length === 0) lost.push(`turns[${index}]`);
    messages.push(encodeUser(turn, rest, lost));
  });
  flush();
  return messages;
};
