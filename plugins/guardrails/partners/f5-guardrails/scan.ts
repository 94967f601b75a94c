import type { Check, CheckInput, CheckServices, Replacement, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { askAboutAll } from '../pieces/ask-about-all.ts';
import { type SpanPiece, spanPieces } from '../pieces/span-pieces.ts';
import { overlappingPieces, textPieces } from '../pieces/text-pieces.ts';

/** The parameters of `f5-guardrails.scan`. */
export interface ScanParameters {
  readonly redact: boolean;
  readonly projectId?: string;
  readonly credentials: { readonly apiKey: string; readonly calypsoUrl: string };
  readonly baseUrl?: string;
}

const vendor = 'F5 AI Guardrails';

/** The documentation states no limit. Longer texts are sent in several requests. */
const maxCharacters = 16_000;

const outcomes = ['cleared', 'redacted', 'flagged', 'blocked'] as const;

interface Scanned {
  readonly outcome: (typeof outcomes)[number];
  readonly replace: readonly Replacement[];
}

const toOutcome = (answer: AnswerReader): Scanned['outcome'] => {
  const named = answer.object('result').text('outcome');
  const outcome = outcomes.find((each) => each === named);
  if (outcome === undefined) throw new Error(`${vendor} answered with status 200, but with an undocumented outcome.`);
  return outcome;
};

const toReplacement = (answer: AnswerReader, { span, from, text }: SpanPiece): Replacement => {
  const redacted = answer.text('redactedInput');
  if (redacted === '' || redacted === text)
    throw new Error(`${vendor} answered with status 200, and reports that it redacted the text, but did not.`);
  return { span, from, to: from + text.length, with: redacted };
};

/** Splits the input into parts to send. Parts whose text the service may replace must not overlap. */
const toPieces = ({ text, spans }: CheckInput, redact: boolean): readonly SpanPiece[] => {
  if (redact) return spanPieces(spans, { max: maxCharacters, divide: textPieces });
  return text.trim() === '' ? [] : overlappingPieces(text, maxCharacters).map((piece) => ({ ...piece, span: 0 }));
};

const sentences: { readonly [outcome in Scanned['outcome']]: string } = {
  cleared: 'clear the text',
  redacted: 'redact the text',
  flagged: 'flag the text',
  blocked: 'block the text',
};

const toVerdict = (scanned: readonly Scanned[], redact: boolean): Verdict => {
  const outcome = outcomes.findLast((each) => scanned.some((piece) => piece.outcome === each)) ?? 'cleared';
  const data = { explanation: `The scanners of ${vendor} ${sentences[outcome]}.`, outcome };
  if (outcome === 'cleared') return { pass: true, data };
  if (outcome !== 'redacted' || !redact) return { pass: false, data };
  return { pass: true, data, replace: scanned.flatMap(({ replace }) => replace) };
};

/** The scanners must clear the text. With `redact`, text that they redact is replaced. */
export const scan = (
  { redact, projectId, credentials, baseUrl = credentials.calypsoUrl }: ScanParameters,
  { http }: CheckServices,
): Check => {
  const url = urlBelow(baseUrl, '/backend/v1/scans');
  const headers = { authorization: `Bearer ${credentials.apiKey}` };
  return async (input) => {
    const { cancellation } = input;
    const scanned = await askAboutAll(toPieces(input, redact), async (piece): Promise<Scanned> => {
      const body = { input: piece.text, ...(projectId !== undefined && { project: projectId }) };
      const answer = await askPartner(http, { vendor, url, headers, body, cancellation });
      const outcome = toOutcome(answer);
      return { outcome, replace: redact && outcome === 'redacted' ? [toReplacement(answer, piece)] : [] };
    });
    return toVerdict(scanned, redact);
  };
};
