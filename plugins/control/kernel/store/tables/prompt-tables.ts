import type { Changing, JsonText, Millis } from './columns.ts';

export interface PromptRow extends Changing {
  id: string;
  workspace_id: string;
  slug: string;
  name: string;
  collection_id: string | null;
  /** The number of the published version. */
  published: number;
}

export interface PromptVersionRow {
  id: string;
  prompt_id: string;
  workspace_id: string;
  number: number;
  content: JsonText;
  description: string | null;
  created_by: string | null;
  created_at: Millis;
}

export interface LabelRow extends Changing {
  id: string;
  workspace_id: string;
  name: string;
  description: string | null;
  colour: string | null;
}

export interface PromptLabelRow {
  prompt_id: string;
  label_id: string;
  workspace_id: string;
  /** The number of the version that has the label. */
  version: number;
}

export interface PartialRow extends Changing {
  id: string;
  workspace_id: string;
  slug: string;
  name: string;
  published: number;
}

export interface PartialVersionRow {
  id: string;
  partial_id: string;
  workspace_id: string;
  number: number;
  text: string;
  description: string | null;
  created_by: string | null;
  created_at: Millis;
}

/** The tables of prompts and partials. */
export interface PromptTables {
  prompts: PromptRow;
  prompt_versions: PromptVersionRow;
  labels: LabelRow;
  prompt_labels: PromptLabelRow;
  partials: PartialRow;
  partial_versions: PartialVersionRow;
}
