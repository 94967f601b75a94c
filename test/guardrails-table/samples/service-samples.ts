import type { JsonObject } from '../../../schema/json/json.ts';
import type { PartnerAnswer } from '../../support/partners/partner-stub.ts';
import type { CheckSample } from './sample.ts';

const moon = { text: 'Tell me about the moon.' };
const flagged = { text: 'Tell me about plutonium.' };

const ok = (body: JsonObject): PartnerAnswer => ({ status: 200, body });

/** The checks that query a service run by the operator. */
export const serviceSamples: readonly CheckSample[] = [
  { id: 'default.inlineImageUrls', parameters: { providers: ['openai'] }, passes: moon },
  {
    id: 'default.jwt',
    parameters: { introspectEndpoint: 'https://issuer.example/introspect' },
    passes: { ...moon, headers: ['authorization', 'Bearer genuine'] },
    fails: { ...moon, headers: ['authorization', 'Bearer forged'] },
    service: {
      origins: ['https://issuer.example'],
      answer: ({ text }) => ok({ active: text.includes('genuine') }),
    },
  },
  {
    id: 'default.log',
    parameters: { logURL: 'https://log.example/entries' },
    passes: moon,
    service: { origins: ['https://log.example'], answer: () => ok({}) },
  },
  {
    id: 'default.validUrls',
    parameters: {},
    passes: { text: 'See https://pages.example/here.' },
    fails: { text: 'See https://pages.example/gone.' },
    judgesSilence: true,
    service: {
      origins: ['https://pages.example'],
      answer: ({ path }) => ({ status: path === '/here' ? 200 : 404, body: {} }),
    },
  },
  {
    id: 'default.webhook',
    parameters: { webhookURL: 'https://hook.example/judge' },
    passes: moon,
    fails: flagged,
    service: {
      origins: ['https://hook.example'],
      answer: ({ text }) => ok({ verdict: !text.includes('plutonium') }),
    },
  },
];
