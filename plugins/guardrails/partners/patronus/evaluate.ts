import type { Check, CheckInput, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import { noText } from '../findings/no-text.ts';
import { askedTexts } from '../pieces/asked-texts.ts';
import { judgePieces } from '../pieces/judge-pieces.ts';
import { askPatronus, type Evaluated, type Evaluator, type PatronusParameters, vendor } from './ask-patronus.ts';

/** The parameters of `patronus.custom`. */
export interface CustomParameters extends PatronusParameters {
  readonly profile: string;
}

type CreateEvaluation = (parameters: PatronusParameters, services: CheckServices) => Check;

const toVerdict = ({ evaluator, criteria }: Evaluator, failed: boolean): Verdict => ({
  pass: !failed,
  data: {
    explanation: `The evaluator ${criteria ?? evaluator} of ${vendor} ${failed ? 'fails' : 'passes'} the answer.`,
  },
});

const isSaid = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** Returns the request, for evaluators that can use it but only require the answer. */
const maybeAsked = ({ request: { text } }: CheckInput): Omit<Evaluated, 'output'> =>
  isSaid(text) ? { input: text } : {};

/** Returns the request, for evaluators that compare the answer with it. */
const asked = ({ request: { text } }: CheckInput): { readonly input: string } => {
  if (!isSaid(text)) throw new Error('The request has no text to compare its answer with.');
  return { input: text };
};

/** Returns the request, with all its text as the context, because it contains what was retrieved for it. */
const askedInContext = (input: CheckInput): Omit<Evaluated, 'output'> => ({
  ...asked(input),
  context: askedTexts(input.request),
});

const evaluation =
  (evaluator: Evaluator, about: (input: CheckInput) => Omit<Evaluated, 'output'>): CreateEvaluation =>
  (parameters, services) => {
    const ask = askPatronus(parameters, services);
    return async (input) => {
      if (!isSaid(input.text)) return noText;
      const evaluated = { output: input.text, ...about(input) };
      return toVerdict(evaluator, !(await ask(evaluator, evaluated, input.cancellation)).flag('pass'));
    };
  };

/** Creates a check that calls the judge, a model, with one of its built-in criteria. */
const judge = (criteria: string): CreateEvaluation =>
  evaluation({ evaluator: 'judge', criteria: `patronus:${criteria}` }, maybeAsked);

export const isConcise: CreateEvaluation = judge('is-concise');
export const isHelpful: CreateEvaluation = judge('is-helpful');
export const isPolite: CreateEvaluation = judge('is-polite');
export const noApologies: CreateEvaluation = judge('no-apologies');
export const noGenderBias: CreateEvaluation = judge('no-gender-bias');
export const noRacialBias: CreateEvaluation = judge('no-racial-bias');

/** The answer must be relevant to the question. */
export const retrievalAnswerRelevance: CreateEvaluation = evaluation({ evaluator: 'answer-relevance' }, asked);

/** The answer must be based on the content of the request. */
export const retrievalHallucination: CreateEvaluation = evaluation({ evaluator: 'hallucination' }, askedInContext);

/** Returns an evaluator and its criteria. Criteria alone are for the judge, and so are those that start with `patronus:`. */
const toEvaluator = (profile: string): Evaluator => {
  const [evaluator = '', ...criteria] = profile.split(':');
  return criteria.length === 0 || evaluator === 'patronus'
    ? { evaluator: 'judge', criteria: profile }
    : { evaluator, criteria: criteria.join(':') };
};

/** The answer must meet custom criteria. */
export const custom = ({ profile, ...parameters }: CustomParameters, services: CheckServices): Check =>
  evaluation(toEvaluator(profile), maybeAsked)(parameters, services);

/** Well below 1,024 tokens, the maximum that the evaluator reads of one text. */
const maxCharacters = 2000;

/** The answer must not be abusive or hateful. */
export const toxicity = (parameters: PatronusParameters, services: CheckServices): Check => {
  const ask = askPatronus(parameters, services);
  const evaluator = { evaluator: 'toxicity' };
  return async ({ text, cancellation }) => {
    if (!isSaid(text)) return noText;
    const passes = await judgePieces(text, maxCharacters, async (piece) => [
      (await ask(evaluator, { output: piece.text }, cancellation)).flag('pass'),
    ]);
    return toVerdict(evaluator, passes.includes(false));
  };
};
