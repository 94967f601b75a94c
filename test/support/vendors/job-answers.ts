const seconds = 1_790_000_000;
const time = '2026-09-21T13:33:20Z';

let made = 0;

/** Returns the id in a path, or a new one. */
const idIn = (path: string, segment: string, prefix: string): string => {
  const named = new RegExp(`/${segment}/([^/]+)`).exec(path)?.[1];
  if (named !== undefined) return named;
  made += 1;
  return `${prefix}${made}`;
};

const listed = (data: readonly object[]): object => ({ object: 'list', data, has_more: false });

const tuningJob = (path: string): object => ({
  ...{ id: idIn(path, 'jobs', 'ftjob-'), object: 'fine_tuning.job', created_at: seconds, status: 'running', seed: 7 },
  ...{ model: 'm', training_file: 'file-1', validation_file: null, organization_id: 'org', result_files: [] },
  ...{ fine_tuned_model: null, finished_at: null, trained_tokens: null, error: null, hyperparameters: {} },
});

const batch = (path: string): object => ({
  ...{ id: idIn(path, 'batches', 'batch_'), object: 'batch', endpoint: '/v1/embeddings', input_file_id: 'file-1' },
  ...{ completion_window: '24h', status: 'in_progress', created_at: seconds, errors: null, output_file_id: null },
  request_counts: { total: 1, completed: 0, failed: 0 },
});

const messageBatch = (path: string): object => ({
  ...{ id: idIn(path, 'batches', 'msgbatch_'), type: 'message_batch', processing_status: 'in_progress' },
  request_counts: { processing: 1, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
  ...{ created_at: time, expires_at: time, ended_at: null, cancel_initiated_at: null, results_url: null },
});

/** Returns a vendor's answer about jobs and their files, or undefined for other paths. */
export const jobAnswer = (method: string, path: string): object | undefined => {
  if (/\/fine_tuning\/jobs\/[^/]+\/(?:checkpoints|events)$/.test(path)) return listed([]);
  if (path.endsWith('/fine_tuning/jobs') && method === 'GET') return listed([]);
  if (path.includes('/fine_tuning/jobs')) return tuningJob(path);
  if (path.includes('/messages/batches')) return messageBatch(path);
  if (path.endsWith('/batches') && method === 'GET') return listed([]);
  if (/\/batches(?:\/|$)/.test(path)) return batch(path);
  return undefined;
};
