import type { ComponentChildren } from 'preact';

/** The title of a page, a sentence about it, and its actions on the right. */
export const PageHeader = ({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: string;
  readonly children?: ComponentChildren;
}) => (
  <header class="page-header">
    <div>
      <h1>{title}</h1>
      {lead !== undefined && <p class="muted">{lead}</p>}
    </div>
    {children !== undefined && <div class="page-actions">{children}</div>}
  </header>
);
