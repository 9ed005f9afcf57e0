import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createAdmitFunctions, dropAdmitFunctions } from './admit-functions';
import { createAppendFunction, dropAppendFunction } from './append-function';
import { createCallContextFunction, dropCallContextFunction } from './call-context-function';
import { createCancelFunctions, dropCancelFunctions } from './cancel-functions';
import { createClaimFunctions, dropClaimFunctions } from './claim-functions';
import { createEventFunctions, dropEventFunctions } from './event-functions';
import { createExpireFunctions, dropExpireFunctions } from './expire-functions';
import { createForgetFunctions, dropForgetFunctions } from './forget-functions';
import { createOlderAppendFunctions, dropOlderAppendFunctions } from './older-append-functions';
import { createSegmentFunctions, dropSegmentFunctions } from './segment-functions';
import { createSubmitFunctions, dropSubmitFunctions } from './submit-function';
import { createTables, dropTables } from './tables/tables';

/** Tables first, then the functions over them; the way down is the same in reverse. */
export class Initial1763640000000 implements MigrationInterface {
  readonly name = 'Initial1763640000000';

  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      ...createTables,
      ...createEventFunctions,
      ...createForgetFunctions,
      ...createClaimFunctions,
      ...createCallContextFunction,
      ...createSegmentFunctions,
      ...createExpireFunctions,
      ...createCancelFunctions,
      ...createSubmitFunctions,
      ...createAppendFunction,
      ...createOlderAppendFunctions,
      ...createAdmitFunctions,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const statements = [
      ...dropAdmitFunctions,
      ...dropOlderAppendFunctions,
      ...dropAppendFunction,
      ...dropSubmitFunctions,
      ...dropCancelFunctions,
      ...dropExpireFunctions,
      ...dropSegmentFunctions,
      ...dropCallContextFunction,
      ...dropClaimFunctions,
      ...dropForgetFunctions,
      ...dropEventFunctions,
      ...dropTables,
    ];
    for (const statement of statements) await runner.query(statement);
  }
}
