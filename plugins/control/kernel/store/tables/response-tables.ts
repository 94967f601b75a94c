import type { Flag, JsonText, Millis } from './columns.ts';

/** A response of a model that is kept, with the input of its request. */
export interface ResponseRow {
  workspace_id: string;
  id: string;
  /** The response that it continues. */
  previous_id: string | null;
  /** The saved provider or virtual key that made it. */
  slug: string | null;
  /** The scope of bound values that it has without one. */
  scope: string | null;
  /** Whether its provider has it too, under the same id. */
  is_native: Flag;
  status: string;
  /** Of the response and its input, as JSON. */
  bytes: number;
  /** Sealed. */
  response: JsonText;
  /** Sealed: what the request had as its input. */
  input: JsonText;
  /** Sealed: the request of a response that is made in the background; absent for others. */
  request: JsonText | null;
  created_by: string | null;
  created_at: Millis;
  expires_at: Millis;
}

/** Some events of a response that is made in the background. */
export interface ResponseEventsRow {
  workspace_id: string;
  response_id: string;
  /** The sequence number of the first, and that behind the last. */
  number: number;
  following: number;
  /** Sealed: a list. */
  events: JsonText;
}

/** An item of an answer, which later requests of its owner may name by its id alone. */
export interface NamedItemRow {
  workspace_id: string;
  /** A fingerprint of the credential that its request brought; empty for those of the workspace. */
  owner: string;
  id: string;
  created_at: Millis;
  /** Of the item as it is kept. */
  bytes: number;
  /** Sealed. */
  item: JsonText;
}

/** The tables of responses. */
export interface ResponseTables {
  responses: ResponseRow;
  response_events: ResponseEventsRow;
  named_items: NamedItemRow;
}
