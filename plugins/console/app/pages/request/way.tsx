import { SafeText } from '../../components/safe-text.tsx';
import { texts } from '../../texts/request.ts';
import { describeStep } from './trail-texts.ts';
import type { TrailStep } from './whole-record.ts';

/** The decisions about a request in words, in order. */
export const RequestRoute = ({ trail }: { readonly trail: readonly TrailStep[] }) =>
  trail.length === 0 ? (
    <p class="muted">{texts.way.none}</p>
  ) : (
    <ol class="way">
      {trail.map((step, at) => (
        <li key={`${at}`} class={step.kind}>
          <SafeText text={describeStep(step)} />{' '}
          {step.path !== undefined && (
            <code class="muted">
              <SafeText text={texts.way.at(step.path)} />
            </code>
          )}
        </li>
      ))}
    </ol>
  );
