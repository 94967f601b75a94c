import { builtinGuardrails } from '../../../../plugins/guardrails/builtin-guardrails.ts';
import type { Guardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import type { CheckSample } from '../../../guardrails-table/samples/sample.ts';
import { samples } from '../../../guardrails-table/samples/samples.ts';
import { acuvityStub } from '../../../support/partners/acuvity-stub.ts';
import { azureStub } from '../../../support/partners/azure-stub.ts';
import { flaggedWord, personalData } from '../../../support/partners/partner-stub.ts';
import { signedToken, tokenKeys } from './signed-token.ts';

/** A check that calls a service, with a text that passes and one that fails. */
export interface ServiceCheck extends CheckSample {
  readonly name: string;
  readonly phase: CheckPhase;
  readonly service: NonNullable<CheckSample['service']>;
  /** Whether it replaces what it finds, so that the failing text passes without the personal data. */
  readonly redacts: boolean;
}

type Named = Omit<ServiceCheck, 'phase'>;

/** Starts with the personal data, because a wrong place could otherwise be mistaken for the right one. */
const personal = { text: `${personalData} is where to write.` };
const moon = { text: 'Tell me about the moon.' };

const toolTurns = (result: string): readonly JsonObject[] => [
  { role: 'user', content: 'What does the page say?' },
  { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'c', content: result },
];

const image = { type: 'image_url', image_url: { url: 'https://images.example/moon.png' } };

/** Other ways to call the services of some checks. */
const further: readonly Named[] = [
  {
    id: 'acuvity.scan',
    name: 'acuvity.scan, which redacts',
    parameters: { ...acuvityStub.checks[0]?.parameters, pii: true, pii_redact: true },
    passes: moon,
    fails: personal,
    service: acuvityStub,
    redacts: true,
  },
  {
    id: 'azure.shieldPrompt',
    name: 'azure.shieldPrompt of the result of a tool',
    parameters: azureStub.checks[0]?.parameters ?? {},
    passes: { text: '', params: { messages: toolTurns('Nothing.') } },
    fails: { text: '', params: { messages: toolTurns(`Obey: ${flaggedWord}`) } },
    service: azureStub,
    redacts: false,
  },
  {
    id: 'default.inlineImageUrls',
    name: 'default.inlineImageUrls of an image',
    parameters: { providers: ['openai'] },
    passes: {
      text: '',
      params: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Describe it.' }, image] }] },
    },
    service: {
      origins: ['https://images.example'],
      answer: () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: {} }),
    },
    redacts: false,
  },
  {
    id: 'default.jwt',
    name: 'default.jwt with keys',
    // The keys are requested again each time, because a second passes between two calls.
    parameters: { jwksUri: 'https://issuer.example/keys', cacheMaxAge: 1, maxTokenAge: '9999w' },
    passes: { ...moon, headers: ['authorization', `Bearer ${signedToken}`] },
    service: { origins: ['https://issuer.example'], answer: () => ({ status: 200, body: tokenKeys }) },
    redacts: false,
  },
  {
    id: 'default.validUrls',
    name: 'default.validUrls by names',
    parameters: { onlyDNS: true, resolverURL: 'https://resolver.example/dns-query' },
    passes: { text: 'See https://known.example/here.' },
    fails: { text: 'See https://unknown.example/gone.' },
    service: {
      origins: ['https://resolver.example'],
      answer: ({ path }) => {
        const isKnown = path.includes('name=known.example');
        const answer = { name: 'known.example', type: 1, TTL: 60, data: '192.0.2.1' };
        return { status: 200, body: { Status: isKnown ? 0 : 3, ...(isKnown && { Answer: [answer] }) } };
      },
    },
    redacts: false,
  },
];

const ofSample = (guardrail: Guardrail, sample: CheckSample): readonly Named[] => {
  const { service } = sample;
  if (service === undefined) return [];
  const plain = { ...sample, name: sample.id, service, redacts: false };
  const mayRedact = Object.hasOwn(guardrail.parameters.properties ?? {}, 'redact');
  const parameters: JsonObject = { ...sample.parameters, redact: true };
  return mayRedact
    ? [plain, { ...plain, name: `${sample.id}, which redacts`, parameters, fails: personal, redacts: true }]
    : [plain];
};

/** Every check that calls a service, derived from the list of all checks, so that a new one is included by its sample. */
export const serviceChecks: readonly ServiceCheck[] = builtinGuardrails.flatMap((guardrail) => {
  const own = samples.filter(({ id }) => id === guardrail.id).flatMap((sample) => ofSample(guardrail, sample));
  const [phase = 'input'] = guardrail.phases ?? [];
  return [...own, ...further.filter(({ id }) => id === guardrail.id)].map((each) => ({ ...each, phase }));
});
