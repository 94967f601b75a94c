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

/** The request, for evaluators that make use of it, but need no more than the answer. */
const maybeAsked = ({ request: { text } }: CheckInput): Omit<Evaluated, 'output'> =>
  isSaid(text) ? { input: text } : {};

/** The request, for evaluators that compare the answer with it. */
const asked = ({ request: { text } }: CheckInput): { readonly input: string } => {
  if (!isSaid(text)) throw new Error('The request has no text that its answer can be compared with.');
  return { input: text };
};

/** The request, and all that it says as the context: what was retrieved for it stands there. */
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

/** Asks the judge, a model, by one of the criteria that come with it. */
const judge = (criteria: string): CreateEvaluation =>
  evaluation({ evaluator: 'judge', criteria: `patronus:${criteria}` }, maybeAsked);

export const isConcise: CreateEvaluation = judge('is-concise');
export const isHelpful: CreateEvaluation = judge('is-helpful');
export const isPolite: CreateEvaluation = judge('is-polite');
export const noApologies: CreateEvaluation = judge('no-apologies');
export const noGenderBias: CreateEvaluation = judge('no-gender-bias');
export const noRacialBias: CreateEvaluation = judge('no-racial-bias');

/** The answer must be about what was asked. */
export const retrievalAnswerRelevance: CreateEvaluation = evaluation({ evaluator: 'answer-relevance' }, asked);

/** The answer must rest on what the request says. */
export const retrievalHallucination: CreateEvaluation = evaluation({ evaluator: 'hallucination' }, askedInContext);

/** An evaluator and its criteria; criteria alone are for the judge, as are those whose names begin with `patronus:`. */
const toEvaluator = (profile: string): Evaluator => {
  const [evaluator = '', ...criteria] = profile.split(':');
  return criteria.length === 0 || evaluator === 'patronus'
    ? { evaluator: 'judge', criteria: profile }
    : { evaluator, criteria: criteria.join(':') };
};

/** The answer must meet criteria of your own. */
export const custom = ({ profile, ...parameters }: CustomParameters, services: CheckServices): Check =>
  evaluation(toEvaluator(profile), maybeAsked)(parameters, services);

/** Well below the 1,024 tokens of which the evaluator reads one text. */
const maxCharacters = 2000;

/** The answer may not be abusive or hateful. */
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
