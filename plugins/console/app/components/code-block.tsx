import { CopyButton } from './copy-button.tsx';
import { SafeText } from './safe-text.tsx';

/** A command or a piece of code with a copy button. */
export const CodeBlock = ({ text }: { readonly text: string }) => (
  <div class="code-block">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard. */}
    <pre tabIndex={0}>
      <code>
        <SafeText text={text} />
      </code>
    </pre>
    <CopyButton text={text} />
  </div>
);
