import type { AnswerReader } from '../client/answer-reader.ts';
import type { ScanParameters } from './scan-parameters.ts';

/** Something that makes the check fail, unless the service has replaced it. */
export interface Finding {
  /** The detector or the kind. */
  readonly name: string;
  readonly isReplaced: boolean;
}

/** Returns the scores of a group of detectors. The service omits groups and detectors that found nothing. */
const scoresIn = (extraction: AnswerReader, group: string): ReadonlyMap<string, number> => {
  if (!extraction.has(group)) return new Map();
  const scores = extraction.object(group);
  return new Map(Object.keys(scores.json).map((name) => [name, scores.score(name)]));
};

/** Returns the detectors whose scores reach their threshold. */
const scored = (extraction: AnswerReader, parameters: ScanParameters): readonly string[] => {
  const exploits = scoresIn(extraction, 'exploits');
  const malcontents = scoresIn(extraction, 'malcontents');
  const languages = scoresIn(extraction, 'languages');
  const { language_values: language } = parameters;
  const detectors = [
    ['prompt_injection', exploits.get('prompt_injection'), parameters.prompt_injection_threshold],
    // The service has used both names.
    ['jail_break', exploits.get('jailbreak') ?? exploits.get('jail_break'), parameters.jail_break_threshold],
    ['malicious_url', exploits.get('malicious_url'), parameters.malicious_url_threshold],
    ['toxic', malcontents.get('toxic'), parameters.toxic_threshold],
    ['biased', malcontents.get('biased'), parameters.biased_threshold],
    ['harmful', malcontents.get('harmful'), parameters.harmful_threshold],
    ['language', language === undefined ? undefined : languages.get(language), 0.5],
  ] as const;
  return detectors.flatMap(([name, score, threshold]) =>
    parameters[name] && score !== undefined && score >= threshold ? [name] : [],
  );
};

/**
 * Newer versions of the service report toxic, biased and harmful content as topics with this prefix. Which topic stands for which
 * of these is not documented, so each counts for all that the check looks for, with the lowest of their thresholds.
 */
const contentTopic = 'content/';

const topicsIn = (extraction: AnswerReader, parameters: ScanParameters): readonly string[] => {
  const thresholds = (['toxic', 'biased', 'harmful'] as const).flatMap((name) =>
    parameters[name] ? [parameters[`${name}_threshold`]] : [],
  );
  return [...scoresIn(extraction, 'topics')].flatMap(([topic, score]) =>
    topic.startsWith(contentTopic) && score >= Math.min(...thresholds) ? [topic] : [],
  );
};

/** Returns the kinds that occur. The service does not list kinds that do not. */
const kindsIn = (extraction: AnswerReader, group: string, wanted?: readonly string[]): readonly string[] =>
  [...scoresIn(extraction, group).keys()].filter((kind) => wanted?.includes(kind) ?? true);

/** Reads the service's findings for one text. */
export const findingsIn = (extraction: AnswerReader, parameters: ScanParameters): readonly Finding[] => {
  const pii = parameters.pii ? kindsIn(extraction, 'PIIs', parameters.pii_categories) : [];
  const secrets = parameters.secrets ? kindsIn(extraction, 'secrets', parameters.secrets_categories) : [];
  return [
    ...[...scored(extraction, parameters), ...topicsIn(extraction, parameters)].map((name) => ({
      name,
      isReplaced: false,
    })),
    ...pii.map((name) => ({ name, isReplaced: parameters.pii_redact })),
    ...secrets.map((name) => ({ name, isReplaced: parameters.secrets_redact })),
  ];
};

/** Returns what the service should replace. */
export const toRedactions = (parameters: ScanParameters): readonly string[] => {
  const { pii, pii_redact, pii_categories = [], secrets, secrets_redact, secrets_categories = [] } = parameters;
  return [...(pii && pii_redact ? pii_categories : []), ...(secrets && secrets_redact ? secrets_categories : [])];
};
