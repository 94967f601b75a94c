import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { RecordRow } from '../../../../../plugins/control/logs/writer/log-store.ts';
import { timeOfId } from '../../../../../plugins/control/logs/writer/stored-id.ts';
import type { NewRecord } from '../../../../../plugins/control/logs/writer/to-record.ts';

export interface SampleRecord extends Partial<RecordRow> {
  readonly labels?: Readonly<Record<string, string>>;
  /** The detail as JSON. It determines the size of the record. */
  readonly detail?: string;
}

/** Returns the record of a successful request, with the changes that a test specifies. */
export const sampleRecord = ({ labels = {}, detail = '{}', ...columns }: SampleRecord = {}): NewRecord => {
  const { id = newId(columns.created_at ?? Date.now()), workspace_id = 'w' } = columns;
  return {
    record: {
      ...{ organisation_id: 'o', trace_id: 'trace', key_id: 'key', config: 'app', plan: 'app@1', method: 'POST' },
      ...{ path: '/v1/chat/completions', operation: 'converse', leaf: '', prompt: null, target: 'fast' },
      ...{ provider: 'openai', slug: null, requested_model: 'm', model: 'm', status: 200, cause: null },
      ...{ ending: 'complete', is_success: 1, micros: 1500, attempts: 1, retries: 0, fell_back: 0, balanced: 0 },
      ...{ input_tokens: 3, output_tokens: 4, cost: 10, cache_status: 'DISABLED', source: 'gateway', has_problem: 0 },
      metadata: JSON.stringify(labels),
      bytes: 200,
      ...columns,
      ...{ id, workspace_id, created_at: timeOfId(id) },
    },
    detail: { detail, bodies: null },
  };
};
