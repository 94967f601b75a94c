import { SafeText } from '../../parts/safe-text.tsx';
import { texts } from '../../texts/request.ts';
import { toClause } from './trail-texts.ts';
import type { TrailStep } from './whole-record.ts';

/** The decisions about a request in words, in order. */
export const Way = ({ trail }: { readonly trail: readonly TrailStep[] }) =>
  trail.length === 0 ? (
    <p class="muted">{texts.way.none}</p>
  ) : (
    <ol class="way">
      {trail.map((step, at) => (
        <li key={`${at}`} class={step.kind}>
          <SafeText text={toClause(step)} />{' '}
          {step.path !== undefined && (
            <code class="muted">
              <SafeText text={texts.way.at(step.path)} />
            </code>
          )}
        </li>
      ))}
    </ol>
  );
