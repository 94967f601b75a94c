import type { JsonObject } from '../../../../schema/json/json.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { text } from '../../kernel/requests/replies.ts';
import { toCredentialFields } from './credential-fields.ts';
import type { DeploymentMembers } from './deployment-members.ts';
import type { GivenCredential, Judging } from './destination.ts';

/** The members of a body that say what a record calls. */
export const destinationProperties = {
  provider: { type: 'string', minLength: 1, description: 'The id of a provider that the gateway has: openai.' },
  settings: {
    type: 'object',
    additionalProperties: true,
    description:
      'Settings of the provider by config field name; custom_host, which replaces its base URL; and unknown_ids, "allow" or "refuse", for files, batches and jobs that were not made through the gateway.',
  },
  credential: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Secrets by config field name. They are read back as placeholders, which keep them when they are sent.',
  },
  key: { type: 'string', description: "Short for the main field of the provider's credential, mostly api_key." },
} as const;

/** What is read of what a record calls. */
export const destinationReplies: { readonly [name: string]: ParameterSchema } = {
  provider: text,
  settings: { type: 'object', additionalProperties: true },
  credential: { type: 'object', additionalProperties: text, description: 'Placeholders of the sealed secrets.' },
};

/** In a change, what is absent stays as it is. */
export interface DestinationBody extends DeploymentMembers {
  readonly provider?: string;
  readonly settings?: JsonObject;
  readonly credential?: GivenCredential;
  readonly key?: string;
}

/** The credential in a body. */
export interface SentCredential {
  /** With `key` under the name of the field that it is short for; absent if the body has none. */
  readonly credential?: GivenCredential;
  readonly problems: readonly Problem[];
  /** Where the body has what is at a place of the credential. */
  placeInBody(pointer: JsonPointer): JsonPointer;
}

const asSent = (pointer: JsonPointer): JsonPointer => pointer;

/** The credential that a body has for a provider. */
export const sentCredential = (
  { credential, key }: DestinationBody,
  provider: string,
  { catalogue }: Judging,
): SentCredential => {
  if (key === undefined) return { ...(credential !== undefined && { credential }), problems: [], placeInBody: asSent };
  const row = catalogue.providers.get(provider);
  const main = row === undefined ? 'api_key' : toCredentialFields(row)[0];
  if (main !== undefined && credential?.[main] === undefined) {
    const place = toPointer(['credential', main]);
    const placeInBody = (pointer: JsonPointer): JsonPointer => (pointer === place ? toPointer(['key']) : pointer);
    return { credential: { ...credential, [main]: key }, problems: [], placeInBody };
  }
  const message =
    main === undefined
      ? `The provider ${provider} takes no credential.`
      : `This is short for "credential": { "${main}": … }, which is there as well.`;
  return { credential: credential ?? {}, problems: [problem(['key'], message, 'Leave it out.')], placeInBody: asSent };
};
