/**
 * How a model is asked to continue an answer that broke off. `prefill`: the beginning of the answer becomes the last turn, which
 * the model continues. `prefix`: the same, but that turn has to be marked. `ask`: a user turn after it asks for the rest.
 */
export type WayToContinue = 'prefill' | 'prefix' | 'ask';

export interface ContinuingModel {
  /** The provider's id. */
  readonly provider: string;
  /** The dialect of the request. */
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

/** Matches the date of a version or none, but no later version: `claude-opus-4-6` is not `claude-opus-4` with a date. */
const prefilledClaude = /claude-(?:instant|v?2|3|(?:opus|sonnet|haiku)-4(?:[-.][0-5])?(?![-.]?\d(?!\d{7})))/;

/**
 * The models that can continue a last turn of their own. For every other model, a user turn asks for the rest. Claude rejects
 * such a turn from 4.6 on: https://platform.claude.com/docs/en/about-claude/models/migration-guide. Mistral requires a mark:
 * https://docs.mistral.ai/api/endpoint/chat
 */
const rows: readonly WayRow[] = [
  { way: 'prefill', dialects: new Set(['messages', 'converse']), models: prefilledClaude },
  { way: 'prefill', providers: new Set(['echo']), dialects: new Set(['chat']) },
  { way: 'prefix', providers: new Set(['mistral-ai']), dialects: new Set(['chat']) },
];

/**
 * Returns how to ask a model to continue. A request that asks for reasoning is not prefilled, because the model would have to
 * reason first.
 */
export const howToContinue = ({ provider, dialect, model = '', reasons }: ContinuingModel): WayToContinue => {
  if (reasons) return 'ask';
  const row = rows.find(
    ({ providers, dialects, models }) =>
      dialects.has(dialect) && providers?.has(provider) !== false && models?.test(model.toLowerCase()) !== false,
  );
  return row?.way ?? 'ask';
};
