import type { VNode } from 'preact';
import { CodeBlock } from '../../components/code-block.tsx';
import { texts } from '../../texts/config.ts';
import type { Comparison } from './use-checked-text.ts';

/** The change in behaviour from one version to another, as `gw diff` prints it. */
export const Difference = ({ comparison }: { readonly comparison: Comparison }): VNode => (
  <div class="difference">
    <p>
      {comparison.same ? texts.difference.same : texts.difference.differs}
      {!comparison.complete && ` ${texts.difference.incomplete}`}
    </p>
    {!comparison.same && <CodeBlock text={comparison.text.trimEnd()} />}
  </div>
);
