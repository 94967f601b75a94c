import { useSignal } from '@preact/signals';
import { CodeBlock } from '../../components/code-block.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { texts } from '../../texts/playground.ts';
import { type SnippetId, type SnippetOptions, snippetsOf, toSnippet } from './snippets.ts';

const OpenSnippets = (options: SnippetOptions) => {
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

/** The request as code in several languages. The code is generated when the section is opened. */
export const Snippets = (options: SnippetOptions) => {
  const isOpen = useSignal(false);
  return (
    <details
      class="card playground-code"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{texts.snippets}</summary>
      {isOpen.value && <OpenSnippets {...options} />}
    </details>
  );
};
