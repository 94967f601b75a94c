import type { JsonObject } from '../../../../schema/json/json.ts';
import type { TextSpan } from '../../../sdk/dialect/dialect.ts';
import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { foundVerdict } from '../findings/found-verdict.ts';
import { askAboutAll } from '../pieces/ask-about-all.ts';
import { overlappingPieces } from '../pieces/text-pieces.ts';
import { type AzureParameters, askAzure } from './ask-azure.ts';

/** https://learn.microsoft.com/azure/ai-services/content-safety/overview#input-requirements */
const maxCharacters = 10_000;

const vendor = 'Azure AI Content Safety';

/** Whether a span was written by others and the model only reads it, so that attacks in it are indirect. */
const isDocument = ({ kind }: TextSpan): boolean =>
  kind === 'tool-result' || kind === 'server-tool' || kind === 'citation';

const toPieces = (spans: readonly TextSpan[]): readonly string[] => {
  const text = spans.map((span) => span.text).join('\n');
  return text.trim() === '' ? [] : overlappingPieces(text, maxCharacters).map((piece) => piece.text);
};

/** One request, and how its answer reports an attack. */
interface Question {
  readonly body: JsonObject;
  readonly attack: string;
  isFound(answer: AnswerReader): boolean;
}

const aboutPrompt = (userPrompt: string): Question => ({
  body: { userPrompt },
  attack: 'an attack in the prompt',
  isFound: (answer) => answer.object('userPromptAnalysis').flag('attackDetected'),
});

const aboutDocument = (document: string): Question => ({
  body: { documents: [document] },
  attack: 'an attack in the result of a tool',
  isFound: (answer) => answer.list('documentsAnalysis', 1).some((each) => each.flag('attackDetected')),
});

const questionsFor = (spans: readonly TextSpan[]): readonly Question[] => [
  ...toPieces(spans.filter((span) => !isDocument(span))).map(aboutPrompt),
  ...toPieces(spans.filter(isDocument)).map(aboutDocument),
];

/** Neither the prompt nor the results of tools, which are judged as documents, may attack the model. */
export const shieldPrompt = (parameters: AzureParameters, services: CheckServices): Check => {
  const ask = askAzure(vendor, parameters, services);
  return async ({ spans, cancellation }) => {
    const found = await askAboutAll(questionsFor(spans), async ({ body, attack, isFound }) => {
      const answer = await ask('/contentsafety/text:shieldPrompt', body, cancellation);
      return isFound(answer) ? [attack] : [];
    });
    return foundVerdict(vendor, found.flat());
  };
};
