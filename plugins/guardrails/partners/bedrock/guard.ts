import type { TextSpan } from '../../../sdk/dialect/dialect.ts';
import type { Check, CheckServices, Replacement, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import { toCounts } from '../findings/found-verdict.ts';
import { noText } from '../findings/no-text.ts';
import { occurrences } from '../findings/occurrences.ts';
import { piiVerdict } from '../findings/pii-verdict.ts';
import { applyGuardrail, type GuardParameters, vendor } from './apply-guardrail.ts';
import { type Finding, findings } from './findings.ts';

const sensitive = 'sensitiveInformationPolicy';

/** Masks texts as the service does, with `{EMAIL}`, wherever they occur. Returns undefined if a masked text does not occur. */
const masked = (found: readonly Finding[], spans: readonly TextSpan[]): readonly Replacement[] | undefined => {
  const places = found.map(({ kind, match = '' }) =>
    spans.flatMap(({ text }, span) =>
      occurrences(text, match).map((from) => ({ span, from, to: from + match.length, with: `{${kind}}` })),
    ),
  );
  return places.some((each) => each.length === 0) ? undefined : places.flat();
};

const failed = (found: readonly Finding[]): Verdict => {
  const policies = [...new Set(found.map(({ policy }) => policy))].sort();
  const what = policies.length === 0 ? 'intervened' : `intervened because of ${policies.join(', ')}`;
  const counts = toCounts(found.map(({ kind }) => kind));
  return { pass: false, data: { explanation: `The guardrail of ${vendor} ${what}.`, policies, counts } };
};

/** The guardrail of Amazon Bedrock must not intervene. With `redact`, text that it only masks is replaced. */
export const guard = (parameters: GuardParameters, services: CheckServices): Check => {
  const apply = applyGuardrail(parameters, services);
  return async ({ phase, spans, cancellation }) => {
    const content = spans.filter(({ text }) => text.trim() !== '').map(({ text }) => ({ text: { text } }));
    if (content.length === 0) return noText;
    const answer = await apply({ source: phase === 'input' ? 'INPUT' : 'OUTPUT', content }, cancellation);
    if (answer.text('action') === 'NONE')
      return { pass: true, data: { explanation: `The guardrail of ${vendor} did not intervene.` } };
    const found = findings(answer);
    const onlyMasks = found.every(({ policy, action }) => policy === sensitive && action === 'ANONYMIZED');
    const replaced = parameters.redact && onlyMasks && found.length > 0 ? masked(found, spans) : undefined;
    if (replaced === undefined) return failed(found);
    return piiVerdict({ vendor, counts: toCounts(found.map(({ kind }) => kind)), redact: true, found: replaced });
  };
};
