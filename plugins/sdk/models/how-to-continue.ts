/**
 * How a model is asked to go on with an answer that broke off. `prefill`: its beginning is the last turn, which the model
 * continues. `prefix`: the same, where that turn has to be marked. `ask`: a turn of the user after it asks for the rest.
 */
export type WayToContinue = 'prefill' | 'prefix' | 'ask';

export interface ContinuingModel {
  /** The provider's id. */
  readonly provider: string;
  /** The dialect in which it is asked. */
  readonly dialect: string;
  readonly model: string | undefined;
  /** Whether the request asks for reasoning. */
  readonly reasons: boolean;
}

interface WayRow {
  readonly way: WayToContinue;
  readonly providers?: ReadonlySet<string>;
  readonly dialects: ReadonlySet<string>;
  readonly models?: RegExp;
}

/** The date of a version, or none, but no later version: `claude-opus-4-6` is not `claude-opus-4` with a date. */
const prefilledClaude = /claude-(?:instant|v?2|3|(?:opus|sonnet|haiku)-4(?:[-.][0-5])?(?![-.]?\d(?!\d{7})))/;

/**
 * The models that continue a last turn of their own; every other one is asked by its user. Claude refuses one from 4.6 on:
 * https://platform.claude.com/docs/en/about-claude/models/migration-guide. Mistral marks it:
 * https://docs.mistral.ai/api/endpoint/chat
 */
const rows: readonly WayRow[] = [
  { way: 'prefill', dialects: new Set(['messages', 'converse']), models: prefilledClaude },
  { way: 'prefill', providers: new Set(['echo']), dialects: new Set(['chat']) },
  { way: 'prefix', providers: new Set(['mistral-ai']), dialects: new Set(['chat']) },
];

/** How to ask a model to go on. A request that asks for reasoning is not prefilled: the model would have to reason first. */
export const howToContinue = ({ provider, dialect, model = '', reasons }: ContinuingModel): WayToContinue => {
  if (reasons) return 'ask';
  const row = rows.find(
    ({ providers, dialects, models }) =>
      dialects.has(dialect) && providers?.has(provider) !== false && models?.test(model.toLowerCase()) !== false,
  );
  return row?.way ?? 'ask';
};
