import { longestKey } from '../../../schema/credentials/key-shapes.ts';
import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { actionErrors, actionParameters, actionParts, actionRequestValues, actionRewrites } from './actions.ts';
import { chosenNames } from './chosen-names.ts';
import { findApiKeys } from './credentials/api-key.ts';
import { findAssignments, longestValue } from './credentials/assignment.ts';
import { findJwts, longestJwt } from './credentials/jwt.ts';
import { findPrivateKeys, longestPrivateKey } from './credentials/private-key.ts';
import { findUrlCredentials, longestUserInfo } from './credentials/url-credentials.ts';
import { redactionCheck } from './redaction.ts';
import { findAll } from './search/find-all.ts';
import type { Detector } from './search/finding.ts';
import { contextCharacters } from './search/words-before.ts';

const categories = ['api-key', 'jwt', 'private-key', 'password', 'url-credentials'] as const;

type Category = (typeof categories)[number];

const detectors: { readonly [Name in Category]: { readonly detect: Detector; readonly longest: number } } = {
  'api-key': { detect: findApiKeys, longest: longestKey },
  jwt: { detect: findJwts, longest: longestJwt },
  'private-key': { detect: findPrivateKeys, longest: longestPrivateKey },
  password: { detect: findAssignments, longest: longestValue },
  'url-credentials': { detect: findUrlCredentials, longest: longestUserInfo },
};

const findLongest = (chosen: readonly Category[]): number =>
  Math.max(...chosen.map((category) => detectors[category].longest));

/** Finds credentials: keys of vendors, tokens, private keys, and passwords next to a word for them. */
export const secrets: Guardrail = defineGuardrail({
  id: 'default.secrets',
  parameters: {
    type: 'object',
    properties: {
      categories: chosenNames(categories, 'What to look for; everything if absent.'),
      ...actionParameters,
    },
  },
  faults: actionErrors,
  requestValues: actionRequestValues,
  rewrites: actionRewrites,
  parts: (parameters) => actionParts(parameters, findLongest(parameters.categories) + contextCharacters),
  create({ categories: chosen, action, not }, services) {
    const detect = findAll(chosen.map((category) => detectors[category].detect));
    return redactionCheck({ subject: 'secrets', action, not, detect }, services);
  },
});
