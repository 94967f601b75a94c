import { describeRecords } from './support/describe-records.ts';

describeRecords({ name: 'PostgreSQL', isPostgres: true });
