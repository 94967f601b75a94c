import type { JsonObject } from '../../../schema/json/json.ts';

/** The most characters of a schema that the model is sent. */
const maxOfSchema = 8000;

/** The most characters of one finding. */
const maxOfFinding = 300;

const shortened = (finding: string): string =>
  finding.length > maxOfFinding ? `${finding.slice(0, maxOfFinding)}...` : finding;

/** Writes the message to a model about JSON that is not valid; without findings, that there was none. */
export const repairWords = (findings: readonly string[], schema: JsonObject): string => {
  const wrong =
    findings.length === 0
      ? 'Your answer has no JSON.'
      : `The JSON of your answer is not valid:\n${findings.map((finding) => `- ${shortened(finding)}`).join('\n')}`;
  const written = JSON.stringify(schema);
  const by = written.length > maxOfSchema ? '' : `, valid by this JSON Schema:\n${written}`;
  return `${wrong}\nAnswer again with the JSON only${by === '' ? '.' : by}`;
};
