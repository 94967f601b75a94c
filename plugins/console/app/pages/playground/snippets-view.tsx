import { useSignal } from '@preact/signals';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { texts } from '../../texts/playground.ts';
import { type SnippetId, type SnippetOptions, snippetsOf, toSnippet } from './snippets.ts';

/** The request as code in several languages. */
export const Snippets = (options: SnippetOptions) => {
  const chosen = useSignal<SnippetId>('curl');
  const ids = snippetsOf[options.dialect];
  const current = ids.find((id) => id === chosen.value) ?? 'curl';
  return (
    <div class="stack">
      <Tabs
        label={texts.snippets}
        current={current}
        onChange={(id) => {
          chosen.value = id;
        }}
        tabs={ids.map((id) => ({
          name: id,
          title: texts.snippetLanguages[id],
          content: () => <CodeBlock text={toSnippet(id, options)} />,
        }))}
      />
      <p class="muted">{texts.snippetHint}</p>
    </div>
  );
};
