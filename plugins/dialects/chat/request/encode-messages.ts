import type { Conversation, TextPart, ToolResultPart, Turn } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import type { Placed } from '../../shared/parts/placed.ts';
import { toContent } from '../../shared/parts/to-content.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';
import { isInstruction, leadingInstructions } from '../../shared/request/leading-instructions.ts';
import { recordLosses } from '../../shared/request/lost.ts';
import { RoundOrder } from '../../shared/request/round-order.ts';
import { encodeOther, encodePart } from '../parts/encode-content.ts';
import { encodeAssistant } from './encode-assistant.ts';

const encodeSystem = (system: readonly TextPart[], context: EncodeContext): readonly JsonObject[] => {
  const parts = present(system.map((part, index) => encodePart(part, `system[${index}]`, context)));
  return parts.length > 0 ? [{ role: 'system', content: toContent(parts) }] : [];
};

/** Encodes a tool's result, which may contain texts, and parts of this dialect only. Media follow it in a user message. */
const encodeResult = (
  { part, path }: Placed<ToolResultPart>,
  context: EncodeContext,
): { readonly message: JsonObject; readonly media: readonly JsonObject[] } => {
  const { lost } = context;
  const content: JsonObject[] = [];
  const rest: JsonObject[] = [];
  part.parts.forEach((inner, index) => {
    const at = `${path}.parts[${index}]`;
    const wire = encodeOther({ part: inner, path: at }, context);
    if (wire === undefined) return;
    const isMoved = inner.kind === 'media' && wire.type !== 'text';
    (isMoved ? rest : content).push(wire);
    if (isMoved) lost.push(`${at}.media`);
  });
  recordLosses(part, ['failed', 'cache', 'name'], { path, lost });
  const isElsewhere = content.length === 0 && rest.length > 0;
  return {
    message: {
      role: 'tool',
      tool_call_id: part.id,
      content: isElsewhere ? 'The result is in the next message.' : toContent(content),
    },
    media: rest.length === 0 ? [] : [{ type: 'text', text: `Result of the tool call ${part.id}:` }, ...rest],
  };
};

/** Encodes a part of instructions. Only the model can refuse, so a refusal in instructions becomes a text. */
const encodeInstructed = ({ part, path }: Placed, context: EncodeContext): JsonObject | undefined => {
  if (part.kind !== 'refusal') return encodeOther({ part, path }, context);
  context.lost.push(`${path}.refusal`);
  return part.text === '' ? undefined : { type: 'text', text: part.text };
};

/** Encodes a message of the user, or instructions in their place. */
const encodeSaid = (turn: Turn, placed: readonly Placed[], context: EncodeContext): JsonObject =>
  defined({
    role: isInstruction(turn) ? turn.role : 'user',
    name: turn.name,
    content: toContent(
      present(
        placed.map((item) => (isInstruction(turn) ? encodeInstructed(item, context) : encodeOther(item, context))),
      ),
    ),
  });

const isResult = (item: Placed): item is Placed<ToolResultPart> => item.part.kind === 'tool-result';

const isCall = ({ part }: Placed): boolean => part.kind === 'tool-call';

/** The message with the media of a round's results. */
type MediaMessage = { readonly role: 'user'; readonly content: JsonObject[] };

type Messages = RoundOrder<JsonObject, MediaMessage>;

const addResults = (messages: Messages, results: readonly Placed<ToolResultPart>[], context: EncodeContext): void => {
  for (const item of results) {
    const { message, media } = encodeResult(item, context);
    messages.addResult(message);
    if (media.length > 0) append(messages.afterResults(() => ({ role: 'user', content: [] })).content, media);
  }
};

/** Whether a result continues those of earlier turns, so that it is not read back as a turn of its own. */
const continuesResults = ({ last, isWaiting }: Messages): boolean => last?.role === 'tool' || isWaiting;

/** Returns the conversation's system prompt and turns as messages. */
export const encodeMessages = ({ system, turns }: Conversation, context: EncodeContext): readonly JsonObject[] => {
  const { lost } = context;
  const messages = new RoundOrder<JsonObject, MediaMessage>(encodeSystem(system, context));
  const instructions = leadingInstructions(turns);
  turns.forEach((turn, index) => {
    // It is read back as the system prompt.
    if (index < instructions) lost.push('system', `turns[${index}]`);
    recordLosses(turn, ['id', 'phase'], { path: `turns[${index}]`, lost });
    const placed = turn.parts.map((part, at): Placed => ({ part, path: `turns[${index}].parts[${at}]` }));
    const results = placed.filter(isResult);
    const rest = placed.filter((item) => !isResult(item));
    const isOwnTurn = turn.role === 'tool' && rest.length === 0 && !continuesResults(messages);
    if (results.length > 0 && !isOwnTurn) lost.push(`turns[${index}]`);
    if (turn.role === 'assistant')
      messages.addModel(encodeAssistant(turn, rest, context), { hasCalls: rest.some(isCall) });
    addResults(messages, results, context);
    if (turn.role === 'assistant' || (rest.length === 0 && results.length > 0)) return;
    if (turn.role === 'tool' && results.length === 0) lost.push(`turns[${index}]`);
    messages.addSaid(encodeSaid(turn, rest, context));
  });
  return messages.end();
};
