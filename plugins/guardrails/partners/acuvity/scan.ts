import type { Check, CheckServices, Replacement } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundVerdict, toCounts } from '../findings/found-verdict.ts';
import { piiVerdict } from '../findings/pii-verdict.ts';
import { type Finding, findingsIn, toRedactions } from './findings.ts';
import type { ScanParameters } from './scan-parameters.ts';

const vendor = 'Acuvity';

/** A text that was sent, and the index of its judged piece. */
interface Sent {
  readonly span: number;
  readonly text: string;
}

/** Replaces a text by the version that the service redacted. */
const redacted = (extraction: AnswerReader, { span, text }: Sent): Replacement => {
  const data = extraction.text('data');
  if (data === text) throw new Error(`${vendor} answered with status 200, but replaced nothing of what it found.`);
  return { span, from: 0, to: text.length, with: data };
};

/** Fails if an enabled detector finds something. If everything that was found is to be redacted, it is replaced instead. */
export const scan = (parameters: ScanParameters, { http }: CheckServices): Check => {
  const { credentials, baseUrl = `https://${credentials.domain}` } = parameters;
  const url = urlBelow(baseUrl, '/_acuvity/scan');
  const headers = { authorization: `Bearer ${credentials.apiKey}` };
  const redactions = toRedactions(parameters);
  return async ({ phase, spans, cancellation }) => {
    const sent = spans.map(({ text }, span): Sent => ({ span, text })).filter(({ text }) => text.trim() !== '');
    if (sent.length === 0) return foundVerdict(vendor, []);
    const body = {
      messages: sent.map(({ text }) => text),
      type: phase === 'input' ? 'Input' : 'Output',
      ...(redactions.length > 0 && { redactions, anonymization: 'FixedSize' }),
    };
    const answer = await askPartner(http, { vendor, url, headers, body, cancellation });
    const extractions = answer.list('extractions', sent.length);
    const found: Finding[] = [];
    const replaced: Replacement[] = [];
    for (const [index, text] of sent.entries()) {
      const extraction = extractions[index];
      if (extraction === undefined) continue;
      const findings = findingsIn(extraction, parameters);
      found.push(...findings);
      if (findings.some(({ isReplaced }) => isReplaced)) replaced.push(redacted(extraction, text));
    }
    const names = found.map(({ name }) => name);
    if (found.length === 0 || found.some(({ isReplaced }) => !isReplaced)) return foundVerdict(vendor, names);
    return piiVerdict({ vendor, counts: toCounts(names), redact: true, found: replaced });
  };
};
