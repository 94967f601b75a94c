import { type CheckInput, defineGuardrail, type Guardrail, type Verdict } from '../../sdk/guardrail/guardrail.ts';
import { offeredTools } from '../../sdk/models/offered-tools.ts';
import { calledTools } from './called-tools.ts';
import { nameMatcher } from './name-matcher.ts';

/** The maximum number of names that a verdict shows, and of characters of each. */
const shown = { names: 20, characters: 100 } as const;

/**
 * Returns the names of the tools that a request offers or an answer calls. Only conversations have any. Throws if they cannot be
 * read.
 */
const toTools = ({ phase, request, answer }: CheckInput): readonly string[] => {
  if (request.operation !== 'converse') return [];
  const called = calledTools.get(request.dialect);
  if (called === undefined) throw new Error(`The check cannot read tools in the dialect "${request.dialect}".`);
  if (phase === 'input') return offeredTools(request.json).map(({ name }) => name);
  if (answer === undefined) throw new Error('The answer is not complete, so its calls cannot be read.');
  return called(answer);
};

const toVerdict = (phase: CheckInput['phase'], refused: readonly string[], judged: number): Verdict => {
  const does = phase === 'input' ? 'The request offers' : 'The answer calls';
  const explanation =
    refused.length === 0
      ? `${does} only tools that are allowed.`
      : `${does} ${refused.length === 1 ? 'a tool that is' : `${refused.length} tools that are`} not allowed.`;
  const refusedTools = refused.slice(0, shown.names).map((name) => name.slice(0, shown.characters));
  return { pass: refused.length === 0, data: { explanation, refusedTools, tools: judged } };
};

const patterns = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 200 },
  minItems: 1,
  maxItems: 1000,
} as const;

/**
 * Only some tools may be offered to the model, and called by it. In the input phase, the check judges the tools of the request;
 * in the output phase, the calls in all choices of the answer.
 */
export const toolAllowlist: Guardrail = defineGuardrail({
  id: 'default.toolAllowlist',
  parameters: {
    type: 'object',
    properties: {
      allowed: { ...patterns, description: 'The only names that pass; * stands for any characters.' },
      blocked: { ...patterns, description: 'Names that fail, even if they are allowed; * stands for any characters.' },
    },
    anyOf: [{ required: ['allowed'] }, { required: ['blocked'] }],
  },
  create({ allowed, blocked }) {
    const isAllowed = allowed === undefined ? () => true : nameMatcher(allowed);
    const isBlocked = nameMatcher(blocked ?? []);
    return (input) => {
      const tools = [...new Set(toTools(input))];
      const refused = tools.filter((name) => isBlocked(name) || !isAllowed(name));
      return toVerdict(input.phase, refused, tools.length);
    };
  },
});
