import { flaggedWord, personalData } from '../../support/partners/partner-stub.ts';
import { partnerStubs } from '../../support/partners/partner-stubs.ts';
import type { CheckSample } from './sample.ts';

const errors = { flagged: { text: `Tell me about ${flaggedWord}.` }, personal: { text: `Write to ${personalData}.` } };

const calls = { passes: { text: '', tool: 'look_at_the_moon' }, fails: { text: '', tool: `make_${flaggedWord}` } };

/** The checks that query partners' services. */
export const partnerSamples: readonly CheckSample[] = partnerStubs.flatMap((service) =>
  service.checks.map(({ id, parameters, finds, judgesCalls }) => ({
    id,
    parameters,
    passes: { text: 'Tell me about the moon.' },
    // A check that never fails a text adds information instead.
    ...(finds === undefined ? { adds: true as const } : { fails: errors[finds] }),
    ...(judgesCalls && calls),
    service,
  })),
);
