import type { Check, CheckServices, Replacement } from '../../../sdk/guardrail/guardrail.ts';
import { piiVerdict } from '../findings/pii-verdict.ts';
import { askAboutAll } from '../pieces/ask-about-all.ts';
import { type SpanPiece, spanPieces } from '../pieces/span-pieces.ts';
import { textPieces } from '../pieces/text-pieces.ts';
import { askPangea, type PangeaParameters, vendor } from './ask-pangea.ts';

/** The parameters of `pangea.pii`. */
export interface PiiParameters extends PangeaParameters {
  readonly redact: boolean;
}

const maxCharacters = 6000;

interface Redacted {
  readonly count: number;
  readonly redaction: readonly Replacement[];
}

/**
 * The rules of the Redact service must not find anything in the text. With `redact`, findings are replaced according to the
 * rules.
 */
export const pii = (parameters: PiiParameters, services: CheckServices): Check => {
  const ask = askPangea('redact', parameters, services);
  const { redact } = parameters;
  return async ({ spans, cancellation }) => {
    const redactedPiece = async ({ span, from, text }: SpanPiece): Promise<Redacted> => {
      const result = await ask('/v1/redact', { text, return_result: redact }, cancellation);
      const count = result.count('count');
      if (!redact || count === 0) return { count, redaction: [] };
      const redacted = result.text('redacted_text');
      if (redacted === text)
        throw new Error(`${vendor} found something, but replaced nothing. Set rules that replace it in your project.`);
      return { count, redaction: [{ span, from, to: from + text.length, with: redacted }] };
    };
    // The service returns a replacement for each whole piece, so pieces must not overlap.
    const pieces = await askAboutAll(spanPieces(spans, { max: maxCharacters, divide: textPieces }), redactedPiece);
    const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
    const counts: { readonly [kind: string]: number } = count === 0 ? {} : { 'personal data': count };
    return piiVerdict({ vendor, counts, redact, found: pieces.flatMap(({ redaction }) => redaction) });
  };
};
