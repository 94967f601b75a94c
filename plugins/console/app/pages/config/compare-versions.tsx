import type { VNode } from 'preact';
import { useLoaded } from '../../api/load.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Field } from '../../components/field.tsx';
import { Card } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { texts } from '../../texts/config.ts';
import { compareVersions, loadVersionText } from './api.ts';
import { Difference } from './difference.tsx';

interface Pair {
  readonly before: number;
  readonly after: number;
}

export interface CompareVersionsProps {
  readonly slug: string;
  /** The number of the newest version. */
  readonly latest: number;
  readonly compared: Pair;
  onChange(compared: Pair): void;
}

const loadPair = async (slug: string, pair: Pair, signal: AbortSignal) => {
  const [comparison, before, after] = await Promise.all([
    compareVersions(slug, pair, signal),
    loadVersionText(slug, pair.before, signal),
    loadVersionText(slug, pair.after, signal),
  ]);
  return { comparison, before, after };
};

/** Two versions of a config side by side, with the differences for requests. */
export const CompareVersions = ({ slug, latest, compared, onChange }: CompareVersionsProps): VNode => {
  const { state, reload } = useLoaded(
    (signal) => loadPair(slug, compared, signal),
    [slug, compared.before, compared.after],
  );
  const choose = (side: keyof Pair, label: string): VNode => (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          class="input"
          type="number"
          min={1}
          max={latest}
          value={compared[side]}
          onChange={({ currentTarget: { valueAsNumber: number } }) => {
            if (Number.isInteger(number) && number >= 1 && number <= latest) onChange({ ...compared, [side]: number });
          }}
        />
      )}
    </Field>
  );
  return (
    <Card title={texts.compare.title(compared.before, compared.after)}>
      <div class="stack">
        <div class="form-row">
          {choose('before', texts.compare.before)}
          {choose('after', texts.compare.after)}
        </div>
        <Loaded state={state} retry={reload}>
          {({ comparison, before, after }) => (
            <div class="stack">
              <Difference comparison={comparison} />
              <div class="side-by-side">
                <div>
                  <h3>{texts.compare.version(compared.before)}</h3>
                  <CodeBlock text={before} />
                </div>
                <div>
                  <h3>{texts.compare.version(compared.after)}</h3>
                  <CodeBlock text={after} />
                </div>
              </div>
            </div>
          )}
        </Loaded>
      </div>
    </Card>
  );
};
