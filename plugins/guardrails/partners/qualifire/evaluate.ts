import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Check, CheckInput, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import { noText } from '../findings/no-text.ts';
import { askedTexts } from '../pieces/asked-texts.ts';
import { askQualifire, type QualifireParameters } from './ask-qualifire.ts';

/** The parameters of checks whose detector has several models. */
export interface ModeParameters extends QualifireParameters {
  readonly mode: 'speed' | 'balanced' | 'quality';
}

/** The parameters of `qualifire.policy`. */
export interface PolicyParameters extends QualifireParameters {
  readonly policies: readonly string[];
}

type Create<Parameters> = (parameters: Parameters, services: CheckServices) => Check;

type ToBody<Parameters> = (parameters: Parameters, input: CheckInput) => JsonObject;

const evaluate =
  <Parameters extends QualifireParameters>(toBody: ToBody<Parameters>): Create<Parameters> =>
  (parameters, services) => {
    const ask = askQualifire(parameters, services);
    return async (input) => {
      if (input.text.trim() === '') return noText;
      return ask(toBody(parameters, input), input.cancellation);
    };
  };

/** Sends only the judged text. */
const alone = ({ phase, text }: CheckInput): JsonObject => (phase === 'input' ? { input: text } : { output: text });

/** Sends an answer together with the request that it answers. */
const inContext = (input: CheckInput): JsonObject => {
  const asked = input.phase === 'input' ? [] : askedTexts(input.request);
  return { ...(asked.length > 0 && { input: asked.join('\n') }), ...alone(input) };
};

/** The text must not be harmful. */
export const contentModeration: Create<QualifireParameters> = evaluate((_, input) => ({
  ...alone(input),
  content_moderation_check: true,
}));

/** The text must not contain personal data. */
export const pii: Create<QualifireParameters> = evaluate((_, input) => ({ ...alone(input), pii_check: true }));

/** The prompt must not try to change the instructions of the model. */
export const promptInjections: Create<QualifireParameters> = evaluate((_, input) => ({
  ...alone(input),
  prompt_injections: true,
}));

/** The answer must not contain fabricated statements. */
export const hallucinations: Create<ModeParameters> = evaluate(({ mode }, input) => ({
  ...inContext(input),
  hallucinations_check: true,
  hallucinations_mode: mode,
}));

/** The answer must be based on what the model was given. */
export const grounding: Create<ModeParameters> = evaluate(({ mode }, input) => ({
  ...inContext(input),
  grounding_check: true,
  grounding_mode: mode,
}));

/** The text must comply with the policies. */
export const policy: Create<PolicyParameters> = evaluate(({ policies }, input) => ({
  ...inContext(input),
  assertions: policies,
  policy_target: input.phase,
}));
