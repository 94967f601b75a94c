import type { JsonObject } from '../../../../../schema/json/json.ts';

/** The templates for a new config. */
export type TemplateName = 'single' | 'fallback' | 'balance' | 'conditional';

export const templateNames: readonly TemplateName[] = ['single', 'fallback', 'balance', 'conditional'];

/** The saved providers of a workspace, as configs refer to them. */
export interface SavedNames {
  readonly providers: readonly string[];
  readonly virtualKeys: readonly string[];
}

/** Returns two targets from the saved providers, or from providers whose keys are still to be filled in. */
const twoTargets = ({ providers, virtualKeys }: SavedNames): readonly [JsonObject, JsonObject] => {
  const saved = [
    ...providers.map((slug): JsonObject => ({ provider: `@${slug}` })),
    ...virtualKeys.map((id): JsonObject => ({ virtual_key: id })),
  ];
  const [first = { provider: 'openai', api_key: '' }, second = saved[0] ?? { provider: 'anthropic', api_key: '' }] =
    saved;
  return [first, second];
};

/** Returns the text of a new config. */
export const templateText = (name: TemplateName, saved: SavedNames): string => {
  const [first, second] = twoTargets(saved);
  const starters: Readonly<Record<TemplateName, JsonObject>> = {
    single: first,
    fallback: {
      strategy: { mode: 'fallback', on_status_codes: [429, 500, 502, 503, 504] },
      targets: [
        { name: 'first', ...first },
        { name: 'second', ...second },
      ],
    },
    balance: {
      strategy: { mode: 'loadbalance' },
      targets: [
        { name: 'most', weight: 9, ...first },
        { name: 'some', weight: 1, ...second },
      ],
    },
    conditional: {
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'metadata.tier': { $eq: 'gold' } }, then: 'gold' }],
        default: 'others',
      },
      targets: [
        { name: 'gold', ...first },
        { name: 'others', ...second },
      ],
    },
  };
  return `${JSON.stringify(starters[name], null, 2)}\n`;
};
