import type { CredentialRef, KeyPool, SecretValue, Target } from '../../../schema/plan/plan.ts';
import { targetModel } from '../../../schema/plan/target-model.ts';
import { type TargetSettingName, targetSettingRows } from '../../../schema/plan/target-settings.ts';
import { inheritedRows } from '../../resolve/tree/inheritance.ts';
import { formatDuration } from './words.ts';

const describeSecret = (value: SecretValue): string => (value.kind === 'reference' ? value.ref : 'given in the config');

/** How many keys of a pool are shown. */
const maxShownKeys = 8;

/** Lists the keys by their positions, with their shares. */
const describePool = ({ keys, accounts }: KeyPool): string => {
  const sum = keys.reduce((total, { weight }) => total + weight, 0);
  const shown = keys.slice(0, maxShownKeys);
  const shares = shown.map(({ weight }) => Math.round((weight / sum) * 1000) / 10).join('/');
  const secrets = shown.map(({ apiKey }) => describeSecret(apiKey)).join(', ');
  const whose = accounts === undefined ? 'one account' : 'several accounts';
  const isCut = shown.length < keys.length;
  return `${keys.length} keys of ${whose}, ${shares}${isCut ? '/…' : ''} %: api_key ${secrets}${isCut ? ', …' : ''}`;
};

const describeCredential = (credential: CredentialRef | null): string => {
  if (credential === null) return 'no credential';
  if (credential.kind === 'request') return 'the credential of the caller';
  if (credential.kind === 'keys') return describePool(credential);
  return Object.entries(credential.fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([field, value]) => `${field} ${describeSecret(value)}`)
    .join(', ');
};

/** Describes the provider: `openai`, `@prod-openai (openai), gpt-4o`, `whatever provider the caller names`. */
export const describeProvider = (target: Target): string => {
  const { from } = target;
  const model = targetModel(target);
  const suffix = model === undefined ? '' : `, ${model}`;
  switch (from.kind) {
    case 'inline':
      return `${from.provider}${suffix}`;
    case 'saved':
      return `@${from.slug} (${from.provider})${suffix}`;
    case 'prompt':
      return `nobody: the prompt ${from.promptId} is gone${suffix}`;
    case 'request':
      return `the provider that the caller names${suffix}`;
  }
};

const words: { readonly [Name in TargetSettingName]?: (value: NonNullable<Target[Name]>) => string } = {
  timeoutMs: (ms) => `a time-out of ${formatDuration(ms)} for each attempt`,
  prompt: ({ reference, kind }) =>
    `sends the stored prompt ${reference} in place of ${kind === 'chat' ? 'the messages' : 'the prompt'} of the client`,
  strict: () => 'answers with provider extras (strict_llmv_compliance: false)',
};

/** Describes a setting in words, or as the config states it. */
const describeSetting = <Name extends TargetSettingName>(name: Name, target: Target): string => {
  const value = target[name];
  const field = inheritedRows.find(({ becomes }) => becomes === name)?.field ?? name;
  return (value !== undefined && words[name]?.(value)) || `${field} ${JSON.stringify(value)}`;
};

/** Describes a target, one line each for its address, its credential and its settings. */
export const describeTarget = (target: Target): readonly string[] => {
  const settings = Object.entries(target.settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...(target.upstream.kind === 'custom' ? [`at ${target.upstream.baseUrl}`] : []),
    `with ${describeCredential(target.credential)}`,
    ...(settings.length === 0 ? [] : [settings.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ')]),
    ...(target.headers.forward.length === 0 ? [] : [`forwards the headers ${target.headers.forward.join(', ')}`]),
    ...targetSettingRows.flatMap(({ name, default: fallback }) =>
      target[name] === undefined || target[name] === fallback ? [] : [describeSetting(name, target)],
    ),
  ];
};
