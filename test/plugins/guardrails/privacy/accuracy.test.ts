import { describe, expect, it } from 'vitest';
import { credentialCorpus } from '../corpus/credential-corpus.ts';
import { falseAlarms } from '../corpus/documentation.ts';
import { toScore } from '../corpus/labelled.ts';
import { personalCorpus } from '../corpus/personal-corpus.ts';
import { reportAlarms, reportScore } from '../corpus/report.ts';
import { findPersonalData, findSecrets } from './detectors.ts';

const size = 2000;
const slowMs = 120_000;

describe('on the generated corpus', () => {
  it.each([
    ['default.pii', toScore(personalCorpus(7, size), findPersonalData)],
    ['default.secrets', toScore(credentialCorpus(7, size), findSecrets)],
  ])('%s has a precision and a recall of at least 0.95', (name, score) => {
    reportScore(name, score);
    expect(score.precision).toBeGreaterThanOrEqual(0.95);
    expect(score.recall).toBeGreaterThanOrEqual(0.95);
  });
});

/** Returns findings other than email addresses: finding those of package maintainers is no false alarm. */
const withoutEmails = (text: string): readonly string[] =>
  findPersonalData(text)
    .filter(({ kind }) => kind !== 'email')
    .map(({ kind, from, to }) => `${kind}: ${text.slice(from, to)}`);

const secretsIn = (text: string): readonly string[] =>
  findSecrets(text).map(({ kind, from, to }) => `${kind}: ${text.slice(from, Math.min(to, from + 40))}`);

describe('on documentation', () => {
  it.each([
    ['default.pii', withoutEmails],
    ['default.secrets', secretsIn],
  ])('%s has at most one false alarm in 10,000 words', { timeout: slowMs }, (name, found) => {
    const { words, alarms } = falseAlarms(found);
    reportAlarms(name, words, alarms);
    expect(alarms.length).toBeLessThanOrEqual(words / 10_000);
  });
});
