import type { JsonObject } from '../../../schema/json/json.ts';

/** A schema with more characters is not sent to the model. */
const maxOfSchema = 8000;

/** The maximum number of characters of one error. */
const maxOfFinding = 300;

const shortened = (finding: string): string =>
  finding.length > maxOfFinding ? `${finding.slice(0, maxOfFinding)}...` : finding;

/** Returns the message to a model about invalid JSON or, without errors, about missing JSON. */
export const repairWords = (findings: readonly string[], schema: JsonObject): string => {
  const wrong =
    findings.length === 0
      ? 'Your answer has no JSON.'
      : `The JSON of your answer is not valid:\n${findings.map((finding) => `- ${shortened(finding)}`).join('\n')}`;
  const written = JSON.stringify(schema);
  const by = written.length > maxOfSchema ? '' : `, which must match this JSON Schema:\n${written}`;
  return `${wrong}\nAnswer again with only the JSON${by === '' ? '.' : by}`;
};
