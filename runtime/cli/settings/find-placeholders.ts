import { basename } from 'node:path';
import { type PlaceholderFact, placeholderFact } from '../../../schema/config/placeholder-fact.ts';
import { placeholderSecret } from '../../../schema/config/saved.ts';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import type { Generation } from '../../file-plans/generation.ts';
import { listReferences } from './list-references.ts';
import type { ReadEnvironment } from './read-environment.ts';
import type { SecretReader } from './secret-reader.ts';

/** Finds the variables that still have the placeholder of an example, if the gateway file or a plan in service refers to them. */
export const findPlaceholders = (
  { entries }: Pick<Generation, 'entries'>,
  { settings, file = '' }: Pick<ReadEnvironment, 'settings' | 'file'>,
  read: SecretReader,
): readonly PlaceholderFact[] => {
  const used: readonly (readonly [ref: SecretRef, place: string])[] = [
    ...listReferences(settings).map(({ ref, pointer }) => [ref, `${basename(file)} (${pointer})`] as const),
    ...[...entries].flatMap(([name, { served }]) =>
      served.routing.requires.secrets.map((ref) => [ref, `the config "${name}"`] as const),
    ),
  ];
  return [...Map.groupBy(used, ([ref]) => ref)].flatMap(([ref, places]) => {
    const [, name] = /^\$\{env:(.+)\}$/.exec(ref) ?? [];
    if (name === undefined || read(ref) !== placeholderSecret) return [];
    return [
      placeholderFact(
        `variable ${name}`,
        places.map(([, place]) => place),
      ),
    ];
  });
};
