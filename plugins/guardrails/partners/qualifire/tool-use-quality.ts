import type { Answer, AnswerChoice } from '../../../../schema/conversation/answer.ts';
import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import { builtinDialects } from '../../../dialects/builtin-dialects.ts';
import type { Check, CheckInput, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import { noText } from '../findings/no-text.ts';
import { askAboutAll } from '../pieces/ask-about-all.ts';
import { askQualifire } from './ask-qualifire.ts';
import { availableTools, conversationMessages } from './conversation-messages.ts';
import type { ModeParameters } from './evaluate.ts';

const callsTool = ({ parts }: AnswerChoice): boolean => parts.some(({ kind }) => kind === 'tool-call');

const noTools: Verdict = { pass: true, data: { explanation: 'The request offers no tools.' } };

/** Decodes a request and its answer from the client's dialect. Throws an `Error` if they cannot be decoded. */
const toExchange = ({ request, answer }: CheckInput): { readonly asked: Conversation; readonly answered: Answer } => {
  const dialect = builtinDialects.find(({ id }) => id === request.dialect);
  const codec = dialect?.conversation;
  if (codec === undefined) throw new Error(`The check cannot read tools in the dialect "${request.dialect}".`);
  if (answer === undefined) throw new Error('The answer is not complete, so its calls cannot be read.');
  return {
    asked: codec.decodeRequest(request.json, { scope: '', stream: false }),
    answered: codec.decodeAnswer(answer, { scope: '' }),
  };
};

/** In each choice, the model must have called the right tools with the right arguments, or correctly called none. */
export const toolUseQuality = (parameters: ModeParameters, services: CheckServices): Check => {
  const ask = askQualifire(parameters, services);
  return async (input) => {
    if (input.request.operation !== 'converse') return noTools;
    const { asked, answered } = toExchange(input);
    const tools = availableTools(asked.tools);
    if (tools.length === 0) return noTools;
    if (answered.choices.length === 0) throw new Error('The answer has no choice that can be judged.');
    if (input.text.trim() === '' && !answered.choices.some(callsTool)) return noText;
    const verdicts = await askAboutAll(answered.choices, (choice) =>
      ask(
        {
          messages: conversationMessages(asked, choice),
          available_tools: tools,
          tool_use_quality_check: true,
          tuq_mode: parameters.mode,
        },
        input.cancellation,
      ),
    );
    return verdicts.find(({ pass }) => !pass) ?? verdicts[0] ?? noText;
  };
};
