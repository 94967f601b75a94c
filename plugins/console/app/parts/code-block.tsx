import { CopyButton } from './copy-button.tsx';
import { SafeText } from './safe-text.tsx';

/** A command or a piece of code, with a button that copies it. */
export const CodeBlock = ({ text }: { readonly text: string }) => (
  <div class="code-block">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
    <pre tabIndex={0}>
      <code>
        <SafeText text={text} />
      </code>
    </pre>
    <CopyButton text={text} />
  </div>
);
