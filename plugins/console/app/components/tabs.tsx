import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly title: string;
  readonly content: () => ComponentChildren;
}

export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly current: Name;
  readonly onChange: (name: Name) => void;
}

/** Tabs, built on the pattern of the ARIA Authoring Practices: the arrow keys, Home and End move between them. */
export const Tabs = <Name extends string>({ label, tabs, current, onChange }: TabsProps<Name>) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex(({ name }) => name === current);
  const go = (next: number): void => {
    const index = (next + tabs.length) % tabs.length;
    const tab = tabs[index];
    if (tab === undefined) return;
    onChange(tab.name);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <div class="tabs">
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        class="tab-list"
        onKeyDown={(event) => {
          const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
          if (target === undefined) return;
          event.preventDefault();
          go(target);
        }}
      >
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}-tab`}
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            class="tab"
            onClick={() => onChange(name)}
          >
            {title}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the pattern requires panels to be focusable. */}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}-tab`} tabIndex={0} class="tab-panel">
        {tabs[at]?.content()}
      </div>
    </div>
  );
};
