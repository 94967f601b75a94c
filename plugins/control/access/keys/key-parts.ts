import type { PointerToken } from '../../../../schema/json/pointer.ts';
import { suggestName } from '../../../../schema/text/closest-name.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { type Scope, scopes, toScope } from '../../kernel/requests/scopes.ts';
import type { RotationPolicy } from './key-bodies.ts';
import type { StoredDefaults } from './key-principal.ts';

/** The maximum length of a text in a key's metadata, in characters. */
const longestMetadata = 128;

/** How much of a text an error quotes, in characters. */
const longestQuote = 255;

/** A second of the year 5138. Later values are assumed to be milliseconds. */
const latestSeconds = 100_000_000_000;

const quoted = (text: string): string => JSON.stringify(text.slice(0, longestQuote));

/** Lists the errors of a time in seconds, which must be in the future. */
export const timeErrors = (place: readonly PointerToken[], seconds: number, now: number): readonly Problem[] => {
  if (!Number.isInteger(seconds) || seconds >= latestSeconds)
    return [
      problem(
        place,
        `${seconds} is not a time in seconds since the epoch.`,
        'Write whole seconds, and not milliseconds.',
      ),
    ];
  return seconds * 1000 > now
    ? []
    : [problem(place, 'This time has passed.', `Write a time after ${Math.floor(now / 1000)}.`)];
};

/** Returns the scopes that texts name, each once, in order. */
export const toScopes = (texts: readonly string[]): readonly Scope[] => [
  ...new Set(texts.flatMap((text) => toScope(text) ?? [])),
];

const managing: readonly (Scope | undefined)[] = ['keys.create', 'keys.update', 'keys.delete', 'keys.rotate'];

/** Lists the errors of a list of scopes, independently of who grants them. Keys of users cannot manage keys. */
export const scopeListErrors = (texts: readonly string[], ofUser: boolean): readonly Problem[] =>
  texts.flatMap((text, at) => {
    const scope = toScope(text);
    if (scope === undefined) {
      const dotted = text.slice(0, longestQuote).replace(':', '.');
      const hint = suggestName(dotted, scopes, 'Scopes are written like "configs.read".');
      return [problem(['scopes', at], `There is no scope ${quoted(text)}.`, hint)];
    }
    return ofUser && managing.includes(scope)
      ? [
          problem(
            ['scopes', at],
            `The key of a user cannot have ${scope}.`,
            'Leave the scope out, or create a key of the kind workspace-service.',
          ),
        ]
      : [];
  });

/** Lists the errors of labels for requests. */
export const metadataErrors = (
  place: readonly PointerToken[],
  metadata: Readonly<Record<string, string>>,
): readonly Problem[] =>
  Object.entries(metadata).flatMap(([name, text]) =>
    name !== '' && name.length <= longestMetadata && text.length <= longestMetadata
      ? []
      : [
          problem(
            [...place, name],
            `A name of the metadata is empty, or it or its text is longer than ${longestMetadata} characters.`,
            `Write names of 1 to ${longestMetadata} characters, and texts of at most ${longestMetadata}.`,
          ),
        ],
  );

/** Lists the errors of the defaults of a key. `hasConfig` is whether the config that they name exists. */
export const defaultsFaults = (
  { metadata = {}, config_id }: StoredDefaults,
  { hasConfig, userId }: { readonly hasConfig: boolean; readonly userId: string | null },
): readonly Problem[] => {
  const errors = [...metadataErrors(['defaults', 'metadata'], metadata)];
  if (userId !== null && metadata._user !== undefined && metadata._user !== userId)
    errors.push(
      problem(
        ['defaults', 'metadata', '_user'],
        'Requests made with the key of a user have the id of the user as _user.',
        'Leave _user out.',
      ),
    );
  if (config_id !== undefined && !hasConfig)
    errors.push(
      problem(
        ['defaults', 'config_id'],
        `There is no config ${quoted(config_id)} in the workspace.`,
        'Write the id or the slug of a config of the workspace.',
      ),
    );
  return errors;
};

/** Lists the errors of a rotation policy. */
export const rotationPolicyErrors = (policy: RotationPolicy, now: number): readonly Problem[] => {
  const { rotation_period, next_rotation_at } = policy;
  if (next_rotation_at !== undefined) return timeErrors(['rotation_policy', 'next_rotation_at'], next_rotation_at, now);
  return rotation_period !== undefined
    ? []
    : [
        problem(
          ['rotation_policy'],
          'A rotation policy says when the key is due.',
          'Write rotation_period, next_rotation_at, or both.',
        ),
      ];
};

/** Returns the same day of the next month, or its last day if that month is shorter. */
const aMonthAfter = (now: number): number => {
  const time = new Date(now);
  const lastDay = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 2, 0)).getUTCDate();
  return time.setUTCMonth(time.getUTCMonth() + 1, Math.min(time.getUTCDate(), lastDay));
};

/** Returns the policy with the time of the next rotation. If it sets none, its period is counted from now. */
export const scheduled = (policy: RotationPolicy, now: number): RotationPolicy => {
  const { rotation_period, next_rotation_at } = policy;
  if (rotation_period === undefined || next_rotation_at !== undefined) return policy;
  const next = rotation_period === 'weekly' ? now + 7 * 86_400_000 : aMonthAfter(now);
  return { rotation_period, next_rotation_at: Math.floor(next / 1000) };
};
