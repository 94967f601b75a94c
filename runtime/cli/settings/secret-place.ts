import { basename } from 'node:path';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import type { Finding } from '../../file-plans/load-files.ts';
import { listReferences } from './list-references.ts';
import type { ReadEnvironment } from './read-environment.ts';

/** The gateway file, which contains the references of saved providers. */
export type ReferringFile = Pick<ReadEnvironment, 'file' | 'settings'>;

/** The maximum number of users that are named. If there are more, their number is shown. */
const maxNamed = 5;

const listNames = (names: readonly string[]): string =>
  names.length > maxNamed
    ? `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} others`
    : names.join(', ');

/** The members of the gateway file that configs can name. */
const isNamed = /^\/(?:providers|virtual_keys|guardrails)\//;

/** Returns where the gateway file refers to a secret, starting with the file. Undefined if no config can name that place. */
export const placeInGatewayFile = (
  ref: SecretRef,
  { file = 'The gateway file', settings }: ReferringFile,
  users?: string,
): string | undefined => {
  const pointers = listReferences(settings).filter((each) => each.ref === ref && isNamed.test(each.pointer));
  if (pointers.length === 0) return undefined;
  const places = pointers.map(({ pointer }) => pointer).join(', ');
  return `${file} (${places}${users === undefined ? '' : `, used by ${users}`})`;
};

const hasItself = ({ source }: Finding, ref: SecretRef): boolean => 'text' in source && source.text.includes(ref);

/** Returns where a missing secret is referred to: in configs themselves, and in what they name in the gateway file. */
export const secretPlace = (ref: SecretRef, users: readonly Finding[], from: ReferringFile): string => {
  const own = users.filter((user) => hasItself(user, ref)).map(({ source }) => source.file);
  const naming = users.filter((user) => !hasItself(user, ref));
  const models = naming.flatMap(({ models: names = [] }) => names.map((name) => `the model "${name}"`));
  const configs = naming.filter((user) => user.models === undefined).map(({ source }) => source.file);
  const inGatewayFile =
    naming.length === 0
      ? undefined
      : placeInGatewayFile(ref, from, listNames([...configs.map((file) => basename(file)), ...models]));
  return listNames([...own, ...(inGatewayFile === undefined ? configs : [inGatewayFile])]) || listNames(models);
};
