import type { JsonObject } from '../../../schema/json/json.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { type CheckInput, defineGuardrail, type Guardrail, type Replacement } from '../../sdk/guardrail/guardrail.ts';
import { insertMessage } from '../text/insert-message.ts';
import { editInstructions } from '../text/instructions.ts';
import { isInNewestTurn } from '../text/newest-turn.ts';
import { roleAt } from '../text/role-at.ts';

interface PrefixRule {
  readonly prefix: string;
  readonly applyToRole: 'user' | 'system' | 'assistant';
  readonly addToExisting: boolean;
  readonly onlyIfEmpty: boolean;
}

type Change = { readonly replace: readonly Replacement[] } | { readonly body: JsonObject } | undefined;

/** In Gemini's format, the role of the model is `model`. */
const isRole = (role: string, wanted: string): boolean =>
  role === (wanted === 'assistant' ? 'model' : wanted) || role === wanted;

const prefixInstructions = ({ request }: CheckInput, { prefix, addToExisting, onlyIfEmpty }: PrefixRule): Change => {
  let hasSome = false;
  const body = editInstructions(request.dialect, request.json, (present) => {
    hasSome = present !== undefined;
    if (present === undefined) return prefix;
    return addToExisting ? `${prefix}${present}` : `${prefix}\n\n${present}`;
  });
  return body === undefined || (onlyIfEmpty && hasSome) ? undefined : { body };
};

const prefixTurn = ({ request, spans }: CheckInput, rule: PrefixRule): Change => {
  const { prefix, applyToRole, addToExisting, onlyIfEmpty } = rule;
  const said = spans.map(({ kind, at }) => kind === 'text' && isRole(roleAt(request.json, at), applyToRole));
  // Once the check has replaced something, it also receives earlier turns. These must not be changed.
  const span = said.findIndex((is, index) => is && isInNewestTurn(request.json, spans[index]?.at ?? rootPointer));
  if (said.includes(true) && (onlyIfEmpty || (span === -1 && applyToRole === 'user'))) return undefined;
  if (span !== -1 && addToExisting) return { replace: [{ span, from: 0, to: 0, with: prefix }] };
  const body = insertMessage(request.dialect, request.json, { role: applyToRole, text: prefix });
  return body === undefined ? undefined : { body };
};

/**
 * A text to continue or to draw belongs to the user, whatever role the rule names. A list of them stands for as many requests.
 */
const prefixPrompts = ({ spans }: CheckInput, { prefix, onlyIfEmpty }: PrefixRule): Change => {
  const prompts = spans.flatMap(({ at }, span) => (at.startsWith('/prompt') ? [span] : []));
  if (prompts.length === 0 || onlyIfEmpty) return undefined;
  return { replace: prompts.map((span) => ({ span, from: 0, to: 0, with: prefix })) };
};

const findChange = (input: CheckInput, rule: PrefixRule): Change => {
  const { operation } = input.request;
  if (operation === 'complete' || operation === 'image') return prefixPrompts(input, rule);
  if (operation !== 'converse') return undefined;
  return rule.applyToRole === 'system' ? prefixInstructions(input, rule) : prefixTurn(input, rule);
};

/** Puts `prefix` before the text of a role: the first text of the judged turns, or the instructions. Always passes. */
export const addPrefix: Guardrail = defineGuardrail({
  id: 'default.addPrefix',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['prefix'],
    properties: {
      prefix: { type: 'string', minLength: 1, description: 'The text to put in front, unchanged.' },
      applyToRole: { enum: ['user', 'system', 'assistant'], default: 'user', description: 'The role of the message.' },
      addToExisting: {
        type: 'boolean',
        default: true,
        description: 'Whether the prefix becomes part of an existing message. If false, it is a separate message.',
      },
      onlyIfEmpty: {
        type: 'boolean',
        default: false,
        description: 'Add the prefix only if the role has no message yet.',
      },
    },
  },
  create(rule) {
    return (input) => {
      const change = findChange(input, rule);
      const explanation =
        change === undefined
          ? 'There is no text to put the prefix before, so nothing was changed.'
          : 'The prefix was added.';
      return { pass: true, data: { explanation, applyToRole: rule.applyToRole }, ...change };
    };
  },
});
